package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.Encounter.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Octets;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeResumeTest {
  private static final HandshakeConfig CONFIG = Encounter.config(SECRET);

  private KnownSession atDialer;
  private OneSession atAcceptor;

  @BeforeEach
  void meetForTheFirstTime() {
    Encounter met = Encounter.first(SECRET, SECRET).run();
    atDialer = met.dialerTrust().session();
    atAcceptor = new OneSession(met.acceptorTrust().session());
    atAcceptor.highestEpoch = 1;
  }

  @Test
  void shouldResumeAKnownSession() {
    Encounter met = dial(0, 2).run();

    for (Trust trust : new Trust[] {met.dialerTrust(), met.acceptorTrust()}) {
      assertThat(trust.resumed()).isTrue();
      assertThat(trust.epoch()).isEqualTo(2);
      assertThat(trust.session().idHigh()).isEqualTo(Encounter.SESSION_HIGH);
      assertThat(trust.session().idLow()).isEqualTo(Encounter.SESSION_LOW);
      assertThat(trust.session().key()).isEqualTo(atDialer.key());
    }
  }

  @Test
  void shouldJoinAFurtherLaneWhoseEpochsAreItsOwn() {
    atAcceptor.highestEpoch = 7;

    Encounter met = dial(3, 1).run();

    assertThat(met.dialerTrust().lane()).isEqualTo(3);
    assertThat(met.acceptorTrust().lane()).isEqualTo(3);
    assertThat(met.acceptorTrust().resumed()).isTrue();
  }

  @Test
  void shouldTellTheDialerThatTheSessionIsUnknown() {
    atAcceptor.session = null;

    Encounter met = dial(0, 2).run();

    assertThat(met.byAcceptor.welcome().resumed()).isFalse();
    assertThat(met.byAcceptor.welcome().sessionIdHigh()).isZero();
    assertThat(met.byAcceptor.welcome().sessionIdLow()).isZero();
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.SESSION_LOST);
    assertThat(met.dialerRefusal().sessionUnknown()).isTrue();
    assertThat(met.dialerRefusal().retryable()).isFalse();
    met.assertNobodyTrusts();
  }

  @Test
  void shouldNotBelieveAnUnprovenClaimThatTheSessionIsUnknown() {
    Encounter met = dial(0, 2);
    met.onWelcome = welcome -> Altered.with(welcome, "resumed", false);
    met.run();

    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.dialerRefusal().sessionUnknown()).isFalse();
    assertThat(met.dialerRefusal().retryable()).isTrue();
  }

  @Test
  void shouldTakeAnotherProvenNodeForTheLossOfTheSession() {
    NodeIdentity restarted = new NodeIdentity(8, 8, "acceptor");
    Encounter met =
        new Encounter(
                new DialerHandshake(CONFIG, Encounter.DIALER, Encounter.resume(atDialer, 0, 2)),
                new AcceptorHandshake(CONFIG, restarted, Encounter.accept(1), SessionLookup.EMPTY))
            .run();

    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.SESSION_LOST);
    assertThat(met.dialerRefusal().sessionUnknown()).isTrue();
    assertThat(met.dialerRefusal().retryable()).isFalse();
    assertThat(met.dialerRefusal().text())
        .contains(Encounter.ACCEPTOR.idText())
        .contains(restarted.idText());
    met.assertNobodyTrusts();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, -1})
  void shouldRefuseAnEpochThatIsNotHigherAfterAGoodProof(int epoch) {
    atAcceptor.highestEpoch = 0xFFFF_FFFFL;

    Encounter met = dial(0, epoch).run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.FENCED);
    assertThat(met.byAcceptor.kinds()).containsExactly("welcome", "goAway");
    assertThat(met.byAcceptor.goAwayText()).contains("4294967295");
  }

  @Test
  void shouldCompareEpochsAsUnsignedNumbers() {
    atAcceptor.highestEpoch = 0x7FFF_FFFFL;

    assertThat(dial(0, 0x8000_0000).run().acceptorTrust().epoch()).isEqualTo(0x8000_0000);
  }

  @Test
  void shouldNotAskForEpochsBeforeTheProofHolds() {
    Encounter met = dial(0, 1);
    met.onProof = proof -> Encounter.filled(0);
    met.run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(atAcceptor.epochQuestions).isZero();
  }

  @Test
  void shouldRefuseTheSessionKeyOfAnotherSession() {
    KnownSession forged =
        new KnownSession(
            atDialer.idHigh(),
            atDialer.idLow(),
            Encounter.filled(3),
            atDialer.peer(),
            atDialer.peerCertificate());
    Encounter met = Encounter.of(CONFIG, CONFIG, Encounter.resume(forged, 0, 2), atAcceptor).run();

    met.assertNobodyTrusts();
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.dialerRefusal().retryable()).isTrue();
  }

  @Test
  void shouldNotAcceptTheSharedSecretInPlaceOfTheSessionKey() {
    AcceptorHandshake acceptor = acceptor(Encounter.accept(1));
    SaidFrames said = new SaidFrames();
    acceptor.start(said.recorder());
    Encounter honest = dial(0, 2).run();
    acceptor.hello(honest.byDialer.hello());
    Transcript transcript =
        new Transcript(honest.byDialer.hello(), said.welcome(), Encounter.SERVER_CERTIFICATE);

    acceptor.proof(transcript.dialerProof(SECRET.key(), said.welcome().proof()));

    assertThat(Encounter.refusal(acceptor).code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  void shouldRefuseAProofForASessionThatItDoesNotKnow() {
    Encounter honest = dial(0, 2).run();
    atAcceptor.session = null;
    AcceptorHandshake acceptor = acceptor(Encounter.accept(1));
    SaidFrames said = new SaidFrames();
    acceptor.start(said.recorder());
    acceptor.hello(honest.byDialer.hello());
    Transcript transcript =
        new Transcript(honest.byDialer.hello(), said.welcome(), Encounter.SERVER_CERTIFICATE);

    acceptor.proof(transcript.dialerProof(SECRET.key(), said.welcome().proof()));

    assertThat(Encounter.refusal(acceptor).code()).isEqualTo(ErrorCode.SESSION_LOST);
    assertThat(said.goAwayCode()).isEqualTo(ErrorCode.SESSION_LOST);
  }

  @Test
  void shouldRefuseASessionThatExpiredBetweenHelloAndProof() {
    Encounter met = dial(0, 2);
    met.onProof =
        proof -> {
          atAcceptor.session = null;
          return proof;
        };
    met.run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.SESSION_LOST);
    assertThat(met.byAcceptor.goAwayCode()).isEqualTo(ErrorCode.SESSION_LOST);
  }

  @Test
  void shouldRefuseADialerWithAnotherCertificate() {
    AcceptAttempt other =
        new AcceptAttempt(
            Encounter.acceptorNonce(1), 1, 1, Encounter.SERVER_CERTIFICATE, Encounter.filled(0xEE));
    Encounter met =
        new Encounter(
                new DialerHandshake(CONFIG, Encounter.DIALER, Encounter.resume(atDialer, 0, 2)),
                acceptor(other))
            .run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.byAcceptor.goAwayText()).contains("certificate");
    assertThat(atAcceptor.epochQuestions).isZero();
  }

  @Test
  void shouldRefuseTheSessionOfAnotherNode() {
    NodeIdentity thief = new NodeIdentity(6, 6, "thief");
    Encounter met =
        new Encounter(
                new DialerHandshake(CONFIG, thief, Encounter.resume(atDialer, 0, 2)),
                acceptor(Encounter.accept(1)))
            .run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.byAcceptor.goAwayText()).contains("another node");
  }

  @Test
  void shouldSayNothingToAnAcceptorWithAnotherCertificate() {
    DialAttempt attempt =
        DialAttempt.resume(atDialer, 0, 2, Encounter.dialerNonce(1), Encounter.filled(0xCD));
    SaidFrames said = new SaidFrames();
    DialerHandshake dialer = new DialerHandshake(CONFIG, Encounter.DIALER, attempt);

    dialer.start(said.recorder());

    assertThat(said.all).isEmpty();
    assertThat(Encounter.refusal(dialer).code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(Encounter.refusal(dialer).retryable()).isTrue();
  }

  @Test
  void shouldResumeWithoutASecretToo() {
    Encounter first = Encounter.first(SharedSecret.NONE, SharedSecret.NONE).run();
    HandshakeConfig open = Encounter.config(SharedSecret.NONE);
    OneSession sessions = new OneSession(first.acceptorTrust().session());
    sessions.highestEpoch = 1;

    Encounter good =
        Encounter.of(open, open, Encounter.resume(first.dialerTrust().session(), 0, 2), sessions)
            .run();
    Encounter stale =
        Encounter.of(open, open, Encounter.resume(first.dialerTrust().session(), 0, 1), sessions)
            .run();

    assertThat(good.acceptorTrust().resumed()).isTrue();
    assertThat(good.dialerTrust().resumed()).isTrue();
    assertThat(stale.acceptorRefusal().code()).isEqualTo(ErrorCode.FENCED);
  }

  @Test
  void shouldNotMixASessionWithAnotherScheme() {
    assertThatThrownBy(
            () ->
                new DialerHandshake(
                    Encounter.config(SharedSecret.NONE),
                    Encounter.DIALER,
                    Encounter.resume(atDialer, 0, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sharedSecret");
  }

  @Test
  void shouldRefuseAWelcomeForAnotherSessionEvenWithoutASecret() {
    Encounter first = Encounter.first(SharedSecret.NONE, SharedSecret.NONE).run();
    HandshakeConfig open = Encounter.config(SharedSecret.NONE);
    Encounter met =
        Encounter.of(
            open,
            open,
            Encounter.resume(first.dialerTrust().session(), 0, 2),
            new OneSession(first.acceptorTrust().session()));
    met.onWelcome = welcome -> Altered.with(welcome, "sessionIdLow", 77L);
    met.run();

    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
    assertThat(met.dialerRefusal().retryable()).isFalse();
  }

  @Test
  void shouldOnlyReadTheSessions() {
    KnownSession before = atAcceptor.session;

    dial(0, 2).run();

    assertThat(atAcceptor.session).isSameAs(before);
    assertThat(atAcceptor.highestEpoch).isEqualTo(1);
    assertThat(atAcceptor.finds).isEqualTo(2);
    assertThat(atAcceptor.epochQuestions).isEqualTo(1);
  }

  @Test
  void shouldRefuseValuesThatCannotBeSent() {
    Octets nonce = Encounter.dialerNonce(0);
    assertThatThrownBy(() -> DialAttempt.first(65_536, 1, nonce, Octets.EMPTY))
        .hasMessageContaining("lane");
    assertThatThrownBy(() -> DialAttempt.first(0, 1, Octets.EMPTY, Octets.EMPTY))
        .hasMessageContaining("nonce");
    assertThatThrownBy(() -> DialAttempt.first(0, 1, nonce, Encounter.octets(20, 0)))
        .hasMessageContaining("certificate");
    assertThatThrownBy(() -> new AcceptAttempt(nonce, 0, 0, Octets.EMPTY, Octets.EMPTY))
        .hasMessageContaining("session id");
    assertThat(SessionLookup.EMPTY.find(1, 1)).isEqualTo(Optional.empty());
    assertThat(SessionLookup.EMPTY.highestEpoch(1, 1, 0)).isEqualTo(SessionLookup.NO_EPOCH);
  }

  private Encounter dial(int lane, int epoch) {
    return Encounter.of(CONFIG, CONFIG, Encounter.resume(atDialer, lane, epoch), atAcceptor);
  }

  private AcceptorHandshake acceptor(AcceptAttempt attempt) {
    return new AcceptorHandshake(CONFIG, Encounter.ACCEPTOR, attempt, atAcceptor);
  }
}

package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.Encounter.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandshakeAuthenticationTest {
  private static final SharedSecret OTHER =
      SharedSecret.of(Encounter.octets(16, 0x41).toByteArray());

  @Test
  void shouldRefuseAWrongSecret() {
    Encounter met = Encounter.first(OTHER, SECRET).run();

    met.assertNobodyTrusts();
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.dialerRefusal().text()).contains("sharedSecret differ");
    assertThat(met.dialerRefusal().retryable()).isFalse();
    assertThat(met.byDialer.kinds()).containsExactly("hello", "goAway");
    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  void shouldRefuseAPeerWithoutASecretNamingTheSetting() {
    Encounter met = Encounter.first(SECRET, SharedSecret.NONE).run();

    met.assertNobodyTrusts();
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.dialerRefusal().text()).contains("set the peer's sharedSecret");
    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.acceptorRefusal().text()).contains("sharedSecret");
  }

  @Test
  void shouldRefuseAPeerWithASecretWhenThereIsNoneHere() {
    Encounter met = Encounter.first(SharedSecret.NONE, SECRET).run();

    met.assertNobodyTrusts();
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.dialerRefusal().text()).contains("set this node's sharedSecret");
    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  void shouldRefuseADialerThatProvesNothing() {
    Encounter met = Encounter.first(SECRET, SECRET);
    met.onProof = proof -> Octets.EMPTY;
    met.run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.acceptorRefusal().text()).contains("set the peer's sharedSecret");
    assertThat(met.byAcceptor.kinds()).containsExactly("welcome");
  }

  @Test
  void shouldRefuseAProofWhereNoneIsConfigured() {
    Encounter met = Encounter.first(SharedSecret.NONE, SharedSecret.NONE);
    met.onProof = proof -> Encounter.filled(1);
    met.run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.acceptorRefusal().text()).contains("set this node's sharedSecret");
  }

  @Test
  void shouldOnlyCloseOnABadProof() {
    Encounter met = Encounter.first(SECRET, SECRET);
    met.onProof = proof -> Encounter.filled(1);
    met.run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.byAcceptor.kinds()).containsExactly("welcome");
  }

  @Test
  void shouldRefuseAReplayedDialerBecauseTheNonceIsNew() {
    Encounter recorded = Encounter.first(SECRET, SECRET).run();
    AcceptorHandshake acceptor =
        new AcceptorHandshake(
            Encounter.config(SECRET), Encounter.ACCEPTOR, Encounter.accept(1), SessionLookup.EMPTY);
    SaidFrames said = new SaidFrames();
    acceptor.start(said.recorder());

    recorded.byDialer.all.forEach(frame -> frame.sayTo(acceptor));

    assertThat(Encounter.refusal(acceptor).code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(said.kinds()).containsExactly("welcome");
  }

  @Test
  void shouldRefuseAReplayedAcceptorBecauseTheNonceIsNew() {
    Encounter recorded = Encounter.first(SECRET, SECRET).run();
    SaidFrames said = new SaidFrames();
    DialerHandshake dialer =
        new DialerHandshake(Encounter.config(SECRET), Encounter.DIALER, Encounter.firstDial(1));
    dialer.start(said.recorder());

    recorded.byAcceptor.all.forEach(frame -> frame.sayTo(dialer));

    assertThat(Encounter.refusal(dialer).code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(said.kinds()).containsExactly("hello", "goAway");
  }

  @Test
  void shouldRefuseItsOwnProofSentBackToTheAcceptor() {
    Encounter met = Encounter.first(SECRET, SECRET);
    met.onProof = proof -> met.byAcceptor.welcome().proof();
    met.run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  void shouldRefuseADialersProofSentBackToTheDialer() {
    Encounter honest = Encounter.first(SECRET, SECRET).run();
    Encounter met = Encounter.first(SECRET, SECRET);
    met.onWelcome = welcome -> Altered.with(welcome, "proof", honest.byDialer.proof());
    met.run();

    assertThat(met.byDialer.hello()).isEqualTo(honest.byDialer.hello());
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    met.assertNobodyTrusts();
  }

  @Test
  void shouldRefuseAnAcceptorThatIsOneself() {
    HandshakeConfig config = Encounter.config(SECRET);
    Encounter met =
        new Encounter(
                new DialerHandshake(config, Encounter.DIALER, Encounter.firstDial(0)),
                new AcceptorHandshake(
                    config, Encounter.DIALER, Encounter.accept(0), SessionLookup.EMPTY))
            .run();

    met.assertNobodyTrusts();
    assertThat(met.byAcceptor.kinds()).containsExactly("goAway");
    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.acceptorRefusal().text())
        .contains("this node's own id " + Encounter.DIALER.idText());
  }

  @Test
  void shouldRefuseAWelcomeWithItsOwnNodeId() {
    Encounter met = Encounter.first(SharedSecret.NONE, SharedSecret.NONE);
    met.onWelcome = welcome -> asIf(welcome, Encounter.DIALER);
    met.run();

    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.dialerRefusal().text()).contains("own id");
    met.assertNobodyTrusts();
  }

  @Test
  void shouldRefuseAnotherNodeThanExpectedOnFirstContact() {
    NodeIdentity expected = new NodeIdentity(5, 5, "expected");
    DialAttempt attempt =
        new DialAttempt(
            Optional.empty(),
            Optional.of(expected),
            0,
            1,
            Encounter.dialerNonce(0),
            Encounter.SERVER_CERTIFICATE);
    HandshakeConfig config = Encounter.config(SECRET);
    Encounter met = Encounter.of(config, config, attempt, SessionLookup.EMPTY).run();

    met.assertNobodyTrusts();
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(met.dialerRefusal().text())
        .contains(expected.idText())
        .contains(Encounter.ACCEPTOR.idText());
    assertThat(met.dialerRefusal().retryable()).isFalse();
    assertThat(met.dialerRefusal().sessionUnknown()).isFalse();
  }

  @Test
  void shouldRefuseWhenTheTwoSidesSawDifferentServerCertificates() {
    HandshakeConfig config = Encounter.config(SECRET);
    DialAttempt attempt = DialAttempt.first(0, 1, Encounter.dialerNonce(0), Encounter.filled(0xCD));
    Encounter met = Encounter.of(config, config, attempt, SessionLookup.EMPTY).run();

    met.assertNobodyTrusts();
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  void shouldRefuseAFeatureThatWasStrippedOnTheWay() {
    HandshakeConfig config = Encounter.config(SECRET, 0b11);
    Encounter met = Encounter.of(config, config, Encounter.firstDial(0), SessionLookup.EMPTY);
    met.onHello = hello -> Altered.with(hello, "features", 0b01L);
    met.run();

    met.assertNobodyTrusts();
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  void shouldRefuseAVersionThatWasLoweredOnTheWay() {
    HandshakeConfig config = new HandshakeConfig(1, 2, 0, 65_536, 1, 1_000, SECRET);
    Encounter met = Encounter.of(config, config, Encounter.firstDial(0), SessionLookup.EMPTY);
    met.onHello = hello -> Altered.with(hello, "maxVersion", 1);
    met.run();

    met.assertNobodyTrusts();
    assertThat(met.byAcceptor.welcome().version()).isEqualTo(1);
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
  }

  private static Welcome asIf(Welcome welcome, NodeIdentity node) {
    return Altered.with(
        Altered.with(welcome, "nodeIdHigh", node.idHigh()), "nodeIdLow", node.idLow());
  }
}

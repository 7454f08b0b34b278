package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.Encounter.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.WireLimits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
  @Test
  void shouldEstablishTheSameOnBothSidesWithTheSameSecret() {
    Encounter met = Encounter.first(SECRET, SharedSecret.of(SECRET.key().toByteArray())).run();

    assertThat(met.byDialer.kinds()).containsExactly("hello", "proof");
    assertThat(met.byAcceptor.kinds()).containsExactly("welcome");
    Trust dialer = met.dialerTrust();
    Trust acceptor = met.acceptorTrust();
    assertThat(dialer.session().peer()).isEqualTo(Encounter.ACCEPTOR);
    assertThat(acceptor.session().peer()).isEqualTo(Encounter.DIALER);
    assertThat(dialer.session().peerCertificate()).isEqualTo(Encounter.SERVER_CERTIFICATE);
    assertThat(acceptor.session().peerCertificate()).isEqualTo(Encounter.CLIENT_CERTIFICATE);
    assertThat(dialer.session().key().length()).isEqualTo(32);
    for (Trust trust : List.of(dialer, acceptor)) {
      assertThat(trust.session().idHigh()).isEqualTo(Encounter.SESSION_HIGH);
      assertThat(trust.session().idLow()).isEqualTo(Encounter.SESSION_LOW);
      assertThat(trust.session().key()).isEqualTo(dialer.session().key());
      assertThat(trust.resumed()).isFalse();
      assertThat(trust.lane()).isZero();
      assertThat(trust.epoch()).isEqualTo(1);
      assertThat(trust.version()).isEqualTo(1);
      assertThat(trust.features()).isZero();
      assertThat(trust.maxFrameLength()).isEqualTo(64 * 1024);
      assertThat(trust.peerMaxChannels()).isEqualTo(10_000);
      assertThat(trust.peerHeartbeatMillis()).isEqualTo(2_000);
    }
  }

  @Test
  void shouldSendEmptyProofsWithoutASecret() {
    Encounter met = Encounter.first(SharedSecret.NONE, SharedSecret.NONE).run();

    assertThat(met.byAcceptor.welcome().proof()).isEqualTo(Octets.EMPTY);
    assertThat(met.byDialer.proof()).isEqualTo(Octets.EMPTY);
    assertThat(met.dialerTrust().session().key()).isEqualTo(Octets.EMPTY);
    assertThat(met.acceptorTrust().session().key()).isEqualTo(Octets.EMPTY);
  }

  @Test
  void shouldTellEachSideTheOthersLimits() {
    HandshakeConfig dialer = new HandshakeConfig(1, 1, 0b011, 8_192, 7, 300, SECRET);
    HandshakeConfig acceptor = new HandshakeConfig(1, 1, 0b110, 9_000, 8, 400, SECRET);
    Encounter met =
        Encounter.of(dialer, acceptor, Encounter.firstDial(0), SessionLookup.EMPTY).run();

    assertThat(met.dialerTrust().maxFrameLength()).isEqualTo(8_192);
    assertThat(met.acceptorTrust().maxFrameLength()).isEqualTo(8_192);
    assertThat(met.dialerTrust().features()).isEqualTo(0b010);
    assertThat(met.acceptorTrust().features()).isEqualTo(0b010);
    assertThat(met.dialerTrust().peerMaxChannels()).isEqualTo(8);
    assertThat(met.acceptorTrust().peerMaxChannels()).isEqualTo(7);
    assertThat(met.dialerTrust().peerHeartbeatMillis()).isEqualTo(400);
    assertThat(met.acceptorTrust().peerHeartbeatMillis()).isEqualTo(300);
  }

  @ParameterizedTest
  @CsvSource({"0, 4096", "1, 4096", "4097, 4097", "-1, 65536", "2147483647, 65536"})
  void shouldClampAHostileFrameLength(int announced, int agreed) {
    Encounter met = Encounter.first(SharedSecret.NONE, SharedSecret.NONE);
    met.onHello = hello -> Altered.with(hello, "maxFrameLength", announced);

    met.run();

    assertThat(met.acceptorTrust().maxFrameLength()).isEqualTo(agreed);
  }

  @ParameterizedTest
  @CsvSource({"0, 100", "99, 100", "101, 101", "60001, 60000", "-1, 60000"})
  void shouldClampAHostileHeartbeatOnBothSides(int announced, int obeyed) {
    Encounter met = Encounter.first(SharedSecret.NONE, SharedSecret.NONE);
    met.onHello = hello -> Altered.with(hello, "heartbeatMillis", announced);
    met.onWelcome = welcome -> Altered.with(welcome, "heartbeatMillis", announced);

    met.run();

    assertThat(met.acceptorTrust().peerHeartbeatMillis()).isEqualTo(obeyed);
    assertThat(met.dialerTrust().peerHeartbeatMillis()).isEqualTo(obeyed);
  }

  @Test
  void shouldTakeAChannelLimitBeyondTheSignedRangeAsTheLargestNumber() {
    Encounter met = Encounter.first(SharedSecret.NONE, SharedSecret.NONE);
    met.onHello = hello -> Altered.with(hello, "maxChannels", -1);

    met.run();

    assertThat(met.acceptorTrust().peerMaxChannels()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void shouldChooseTheHighestCommonVersion() {
    HandshakeConfig newer = new HandshakeConfig(1, 3, 0, 65_536, 1, 1_000, SECRET);
    HandshakeConfig older = new HandshakeConfig(1, 2, 0, 65_536, 1, 1_000, SECRET);

    for (List<HandshakeConfig> pair : List.of(List.of(newer, older), List.of(older, newer))) {
      Encounter met =
          Encounter.of(pair.get(0), pair.get(1), Encounter.firstDial(0), SessionLookup.EMPTY).run();

      assertThat(met.dialerTrust().version()).isEqualTo(2);
      assertThat(met.acceptorTrust().version()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 2, 3", "2, 3, 1, 1"})
  void shouldRefuseDisjointVersionsNamingBothRanges(int dMin, int dMax, int aMin, int aMax) {
    Encounter met =
        Encounter.of(
                new HandshakeConfig(dMin, dMax, 0, 65_536, 1, 1_000, SECRET),
                new HandshakeConfig(aMin, aMax, 0, 65_536, 1, 1_000, SECRET),
                Encounter.firstDial(0),
                SessionLookup.EMPTY)
            .run();

    assertThat(met.acceptorRefusal().code()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
    assertThat(met.byAcceptor.goAwayText())
        .contains("acceptor speaks versions " + aMin + " to " + aMax)
        .contains("dialer " + dMin + " to " + dMax);
    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
    assertThat(met.dialerRefusal().text()).contains(met.byAcceptor.goAwayText());
  }

  @Test
  void shouldStayWithinTheBytesThatAreAllowedBeforeTrust() {
    NodeIdentity dialer = new NodeIdentity(1, 1, "d".repeat(255));
    NodeIdentity acceptor = new NodeIdentity(2, 2, "a".repeat(255));
    HandshakeConfig config = Encounter.config(SECRET);
    Encounter met =
        new Encounter(
            new DialerHandshake(config, dialer, Encounter.firstDial(0)),
            new AcceptorHandshake(config, acceptor, Encounter.accept(0), SessionLookup.EMPTY));
    met.onWelcome = welcome -> Altered.with(welcome, "features", 1L);

    met.run();

    assertThat(met.byDialer.kinds()).containsExactly("hello", "goAway");
    assertThat(canonicalBytes(met.byDialer)).isLessThan(WireLimits.MAX_HANDSHAKE_BYTES - 128);
    assertThat(canonicalBytes(met.byAcceptor)).isLessThan(WireLimits.MAX_HANDSHAKE_BYTES - 128);
  }

  @Test
  void shouldNotBeFedBeforeItStartsNorAfterTrust() {
    Encounter met = Encounter.first(SECRET, SECRET);
    assertThatThrownBy(() -> met.dialer.ping(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> met.acceptor.ping(1)).isInstanceOf(IllegalStateException.class);

    met.run();

    assertThatThrownBy(() -> met.dialer.ping(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> met.acceptor.ping(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> met.dialer.start(met.acceptor))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldNeverPrintASecretOrAKey() {
    Encounter met = Encounter.first(SECRET, SECRET).run();

    assertThat(Encounter.config(SECRET).toString()).contains("SharedSecret[set]");
    assertThat(Encounter.config(SharedSecret.NONE).toString()).contains("SharedSecret[none]");
    assertThat(met.dialerTrust().toString()).contains("key=Octets[32]");
  }

  @Test
  void shouldRefuseAShortSecret() {
    assertThatThrownBy(() -> SharedSecret.of(new byte[15]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sharedSecret: expected at least 16 random bytes, got 15");
    assertThat(SharedSecret.of(new byte[16]).isPresent()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"minVersion", "maxVersion", "maxFrameLength", "maxChannels", "heartbeatMillis"})
  void shouldNameTheSettingThatIsOutOfRange(String setting) {
    HandshakeConfig good = Encounter.config(SECRET);

    assertThatThrownBy(() -> Altered.with(good, setting, -1))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(setting + ": expected");
  }

  @Test
  void shouldRefuseIdentitiesThatCannotBeSent() {
    assertThatThrownBy(() -> new NodeIdentity(0, 0, "n")).hasMessageContaining("node id");
    assertThatThrownBy(() -> new NodeIdentity(1, 0, "é".repeat(128)))
        .hasMessageContaining("nodeName");
    assertThatThrownBy(() -> new NodeIdentity(1, 0, "a\nb")).hasMessageContaining("nodeName");
    assertThat(new NodeIdentity(1, 0, "é".repeat(127)).sameNode(new NodeIdentity(1, 0, "other")))
        .isTrue();
  }

  @Test
  void shouldHaveTheLimitsOfTheProtocolByDefault() {
    assertThat(PreAuthLimits.DEFAULTS.maxBytes()).isEqualTo(1024);
    assertThat(PreAuthLimits.DEFAULTS.deadlineMillis()).isEqualTo(5_000);
    assertThatThrownBy(() -> new PreAuthLimits(1025, 1, 1)).hasMessageContaining("maxBytes");
    assertThatThrownBy(() -> new PreAuthLimits(1, 0, 1)).hasMessageContaining("deadlineMillis");
    assertThatThrownBy(() -> new PreAuthLimits(1, 1, 0)).hasMessageContaining("maxConnections");
  }

  private static int canonicalBytes(SaidFrames said) {
    CanonicalFields fields = new CanonicalFields();
    int bytes = 0;
    for (SaidFrames.Said frame : said.all) {
      frame.sayTo(fields);
      bytes += fields.toByteArray().length;
    }
    return bytes;
  }
}

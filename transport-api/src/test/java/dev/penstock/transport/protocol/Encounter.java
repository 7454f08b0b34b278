package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.protocol.HandshakeOutcome.Refused;
import dev.penstock.transport.protocol.HandshakeOutcome.Trusted;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** One dialer and one acceptor, and somebody between them who may alter what they say. */
final class Encounter {
  static final NodeIdentity DIALER =
      new NodeIdentity(0x0102030405060708L, 0x1112131415161718L, "dialer");
  static final NodeIdentity ACCEPTOR =
      new NodeIdentity(0x2122232425262728L, 0x3132333435363738L, "acceptor");
  static final long SESSION_HIGH = 0x4142434445464748L;
  static final long SESSION_LOW = 0x5152535455565758L;
  static final SharedSecret SECRET = SharedSecret.of(octets(16, 0x40).toByteArray());
  static final Octets SERVER_CERTIFICATE = filled(0xCC);
  static final Octets CLIENT_CERTIFICATE = filled(0xDD);

  final SaidFrames byDialer = new SaidFrames();
  final SaidFrames byAcceptor = new SaidFrames();
  final DialerHandshake dialer;
  final AcceptorHandshake acceptor;

  UnaryOperator<Hello> onHello = UnaryOperator.identity();
  UnaryOperator<Welcome> onWelcome = UnaryOperator.identity();
  UnaryOperator<Octets> onProof = UnaryOperator.identity();

  Encounter(DialerHandshake dialer, AcceptorHandshake acceptor) {
    this.dialer = dialer;
    this.acceptor = acceptor;
  }

  static HandshakeConfig config(SharedSecret secret) {
    return HandshakeConfig.defaults(secret);
  }

  static HandshakeConfig config(SharedSecret secret, long features) {
    return new HandshakeConfig(1, 1, features, 64 * 1024, 10_000, 2_000, secret);
  }

  static Encounter first(SharedSecret dialerSecret, SharedSecret acceptorSecret) {
    return of(config(dialerSecret), config(acceptorSecret), firstDial(0), SessionLookup.EMPTY);
  }

  static Encounter of(
      HandshakeConfig dialer,
      HandshakeConfig acceptor,
      DialAttempt attempt,
      SessionLookup sessions) {
    return new Encounter(
        new DialerHandshake(dialer, DIALER, attempt),
        new AcceptorHandshake(acceptor, ACCEPTOR, accept(0), sessions));
  }

  static DialAttempt firstDial(int connection) {
    return DialAttempt.first(0, 1, dialerNonce(connection), SERVER_CERTIFICATE);
  }

  static DialAttempt resume(KnownSession session, int lane, int epoch) {
    return DialAttempt.resume(session, lane, epoch, dialerNonce(9), SERVER_CERTIFICATE);
  }

  static AcceptAttempt accept(int connection) {
    return new AcceptAttempt(
        acceptorNonce(connection),
        SESSION_HIGH,
        SESSION_LOW,
        SERVER_CERTIFICATE,
        CLIENT_CERTIFICATE);
  }

  static Octets dialerNonce(int connection) {
    return octets(32, 0x20 * connection);
  }

  static Octets acceptorNonce(int connection) {
    return octets(32, 0x80 + 0x20 * connection);
  }

  static Octets filled(int value) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) value);
    return Octets.copyOf(bytes);
  }

  static Octets octets(int length, int from) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (from + i);
    }
    return Octets.copyOf(bytes);
  }

  Encounter run() {
    acceptor.start(byAcceptor.recorder());
    dialer.start(byDialer.recorder());
    int toAcceptor = 0;
    int toDialer = 0;
    boolean moved = true;
    while (moved) {
      moved = false;
      while (toAcceptor < byDialer.all.size() && undecided(acceptor)) {
        sayTo(acceptor, byDialer.all.get(toAcceptor++));
        moved = true;
      }
      while (toDialer < byAcceptor.all.size() && undecided(dialer)) {
        sayTo(dialer, byAcceptor.all.get(toDialer++));
        moved = true;
      }
    }
    return this;
  }

  Trust dialerTrust() {
    return trust(dialer);
  }

  Trust acceptorTrust() {
    return trust(acceptor);
  }

  Refused dialerRefusal() {
    return refusal(dialer);
  }

  Refused acceptorRefusal() {
    return refusal(acceptor);
  }

  void assertNobodyTrusts() {
    assertThat(dialer.outcome()).isNotInstanceOf(Trusted.class);
    assertThat(acceptor.outcome()).isNotInstanceOf(Trusted.class);
  }

  static Trust trust(Handshake side) {
    assertThat(side.outcome()).isInstanceOf(Trusted.class);
    return ((Trusted) side.outcome()).trust();
  }

  static Refused refusal(Handshake side) {
    assertThat(side.outcome()).isInstanceOf(Refused.class);
    return (Refused) side.outcome();
  }

  static boolean undecided(Handshake side) {
    return side.outcome() == HandshakeOutcome.Pending.PENDING;
  }

  private void sayTo(Frames other, SaidFrames.Said said) {
    switch (said.kind()) {
      case "hello" -> other.hello(onHello.apply((Hello) said.arguments().get(0)));
      case "welcome" -> other.welcome(onWelcome.apply((Welcome) said.arguments().get(0)));
      case "proof" -> other.proof(onProof.apply((Octets) said.arguments().get(0)));
      default -> said.sayTo(other);
    }
  }
}

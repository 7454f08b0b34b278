package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;

/**
 * What dialer and acceptor have in common: the outcome, and the answer to frames that come before
 * trust.
 */
abstract class Handshake implements Frames {
  private static final int MAX_QUOTE = 200;

  final HandshakeConfig config;
  final NodeIdentity self;

  private Frames out;
  private HandshakeOutcome outcome = HandshakeOutcome.Pending.PENDING;

  Handshake(HandshakeConfig config, NodeIdentity self) {
    this.config = config;
    this.self = self;
  }

  /**
   * Where the handshake stands.
   *
   * @return the outcome; once it is not pending it stays
   */
  public final HandshakeOutcome outcome() {
    return outcome;
  }

  final void startWith(Frames frames) {
    if (out != null) {
      throw new IllegalStateException("a handshake serves one connection: it was already started");
    }
    out = frames;
  }

  final Frames out() {
    return out;
  }

  /** Whether a frame is still to be looked at: after a refusal what comes is dropped. */
  final boolean open() {
    if (out == null) {
      throw new IllegalStateException("a frame came before start()");
    }
    if (outcome instanceof HandshakeOutcome.Trusted) {
      throw new IllegalStateException("the handshake is over: this frame is for the lane");
    }
    return outcome == HandshakeOutcome.Pending.PENDING;
  }

  final void trust(Trust trust) {
    outcome = new HandshakeOutcome.Trusted(trust);
  }

  final void refuse(ErrorCode code, String text, boolean retryable, boolean sessionUnknown) {
    outcome = new HandshakeOutcome.Refused(code, text, retryable, sessionUnknown);
  }

  final void refuseAndTell(ErrorCode code, String text, boolean retryable, boolean sessionUnknown) {
    refuse(code, text, retryable, sessionUnknown);
    out.goAway(code, text, false);
  }

  final void unexpected(String frame) {
    if (open()) {
      refuseAndTell(
          ErrorCode.PROTOCOL_VIOLATION,
          "expected " + expected() + ", got " + frame + ": nothing else is allowed before trust",
          true,
          false);
    }
  }

  /** The frame that is due, for people. */
  abstract String expected();

  /** What is wrong with the part that HELLO and WELCOME share; null if nothing is. */
  static String malformed(long nodeHigh, long nodeLow, Octets nonce, String nodeName) {
    if (!NodeIdentity.isId(nodeHigh, nodeLow)) {
      return "the peer's node id is 0";
    }
    if (nonce.length() != WireLimits.NONCE_BYTES) {
      return "expected a nonce of " + WireLimits.NONCE_BYTES + " bytes, got " + nonce.length();
    }
    return NodeIdentity.isName(nodeName) ? null : "the peer's node name is too long or unprintable";
  }

  /** Why a proof cannot be one for this node's scheme; null if it can. */
  final String schemeMismatch(Octets proof) {
    if (config.secret().isPresent()) {
      return proof.length() > 0
          ? null
          : "this node has a sharedSecret, the peer proved nothing: set the peer's sharedSecret";
    }
    return proof.length() == 0
        ? null
        : "the peer has a sharedSecret, this node has none: set this node's sharedSecret";
  }

  final String ownNode() {
    return "the peer has this node's own id "
        + self.idText()
        + ": dial another address, or give every node its own id";
  }

  @Override
  public final void goAway(ErrorCode code, String text, boolean draining) {
    if (open()) {
      refuse(code, "the peer refused the handshake: " + printable(text), true, false);
    }
  }

  /** An unproven peer's text must not forge lines of a log. */
  private static String printable(String text) {
    StringBuilder safe = new StringBuilder();
    text.codePoints()
        .limit(MAX_QUOTE)
        .forEach(c -> safe.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return safe.toString();
  }

  @Override
  public void hello(Hello hello) {
    unexpected("HELLO");
  }

  @Override
  public void welcome(Welcome welcome) {
    unexpected("WELCOME");
  }

  @Override
  public void proof(Octets proof) {
    unexpected("PROOF");
  }

  @Override
  public final void open(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    unexpected("OPEN");
  }

  @Override
  public final void opened(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    unexpected("OPENED");
  }

  @Override
  public final void ready(int liveChannels, boolean draining) {
    unexpected("READY");
  }

  @Override
  public final void data(
      int channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int uncompressedLength,
      long backlog,
      int payloadLength,
      int payloadCrc) {
    unexpected("DATA");
  }

  @Override
  public final void demand(int channel, long position, long backlog) {
    unexpected("DEMAND");
  }

  @Override
  public final void credit(int channel, long received, long consumed, long limit) {
    unexpected("CREDIT");
  }

  @Override
  public final void finish(int channel, long position, long sequence) {
    unexpected("FINISH");
  }

  @Override
  public final void finishAck(int channel, long position, long sequence) {
    unexpected("FINISH_ACK");
  }

  @Override
  public final void reset(int channel, ErrorCode code, String text) {
    unexpected("RESET");
  }

  @Override
  public final void closed(int channel) {
    unexpected("CLOSED");
  }

  @Override
  public final void ping(long value) {
    unexpected("PING");
  }

  @Override
  public final void pong(long value) {
    unexpected("PONG");
  }
}

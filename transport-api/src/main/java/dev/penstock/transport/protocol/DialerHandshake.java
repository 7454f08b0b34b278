package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;

/**
 * The dialer's side of one connection's handshake: says HELLO, judges WELCOME, answers PROOF. Feed
 * it what the peer says until {@code outcome} is decided. Who refuses says so with a GOAWAY; the
 * connection is then to be closed.
 *
 * <p>Pure: one thread at a time, never blocks, throws only for mistakes of its caller.
 */
public final class DialerHandshake extends Handshake {
  private final DialAttempt attempt;
  private Hello hello;

  /**
   * Prepares the handshake of one connection.
   *
   * @param config what this node offers
   * @param self who this node is
   * @param attempt what is particular to this connection
   * @throws IllegalArgumentException if the session was made with a secret and the configuration
   *     has none, or the other way round
   */
  public DialerHandshake(HandshakeConfig config, NodeIdentity self, DialAttempt attempt) {
    super(config, self);
    if (attempt.session().isPresent()
        && attempt.session().get().key().length() > 0 != config.secret().isPresent()) {
      throw new IllegalArgumentException("a session keeps the sharedSecret that it was made with");
    }
    this.attempt = attempt;
  }

  /**
   * Emits HELLO, unless a session is named whose peer had another certificate: then the outcome is
   * a refusal and nothing is said.
   *
   * @param out where this side's frames go, for the whole handshake
   */
  public void start(Frames out) {
    startWith(out);
    KnownSession session = attempt.session().orElse(null);
    if (session != null && !session.peerCertificate().equals(attempt.serverCertificate())) {
      refuse(
          ErrorCode.AUTHENTICATION_FAILED,
          "the peer's certificate is not the one that the session began with: a certificate may"
              + " be changed between sessions only",
          true,
          false);
      return;
    }
    hello =
        new Hello(
            config.minVersion(),
            config.maxVersion(),
            self.idHigh(),
            self.idLow(),
            session == null ? 0 : session.idHigh(),
            session == null ? 0 : session.idLow(),
            attempt.lane(),
            attempt.epoch(),
            config.features(),
            config.maxFrameLength(),
            config.maxChannels(),
            config.heartbeatMillis(),
            attempt.nonce(),
            self.name());
    out.hello(hello);
  }

  @Override
  public void welcome(Welcome welcome) {
    if (!open()) {
      return;
    }
    Transcript transcript = authenticated(welcome);
    if (transcript != null && rightSession(welcome) && rightTerms(welcome)) {
      Octets key = key(welcome);
      out().proof(transcript.dialerProof(key, welcome.proof()));
      trust(trustIn(welcome, welcome.resumed() ? key : transcript.sessionKey(key)));
    }
  }

  /** Checks all that can be checked of a peer that has proved nothing yet, then its proof. */
  private Transcript authenticated(Welcome welcome) {
    String malformed = malformed(welcome);
    if (malformed != null) {
      unproven(ErrorCode.PROTOCOL_VIOLATION, "bad WELCOME: " + malformed);
      return null;
    }
    if (self.has(welcome.nodeIdHigh(), welcome.nodeIdLow())) {
      unproven(ErrorCode.AUTHENTICATION_FAILED, ownNode());
      return null;
    }
    String mismatch = schemeMismatch(welcome.proof());
    if (mismatch != null) {
      unproven(ErrorCode.AUTHENTICATION_FAILED, mismatch);
      return null;
    }
    Transcript transcript = new Transcript(hello, welcome, attempt.serverCertificate());
    if (!transcript.acceptorProof(key(welcome)).equals(welcome.proof())) {
      unproven(
          ErrorCode.AUTHENTICATION_FAILED,
          "the proof of node "
              + peerText(welcome)
              + " is wrong: the nodes' sharedSecret differs, or the handshake was altered on the"
              + " way");
      return null;
    }
    return transcript;
  }

  private String malformed(Welcome welcome) {
    if (welcome.proof().length() != 0 && welcome.proof().length() != WireLimits.PROOF_BYTES) {
      return "expected a proof of 0 or 32 bytes, got " + welcome.proof().length();
    }
    if (welcome.resumed() && attempt.session().isEmpty()) {
      return "it resumes a session that HELLO did not name";
    }
    return malformed(
        welcome.nodeIdHigh(), welcome.nodeIdLow(), welcome.nonce(), welcome.nodeName());
  }

  private boolean rightSession(Welcome welcome) {
    KnownSession session = attempt.session().orElse(null);
    NodeIdentity expected = session == null ? attempt.expectedNode().orElse(null) : session.peer();
    if (expected != null && !expected.has(welcome.nodeIdHigh(), welcome.nodeIdLow())) {
      String text = "expected node " + expected.idText() + ", reached " + peerText(welcome);
      if (session == null) {
        proven(ErrorCode.AUTHENTICATION_FAILED, text + ": check the address", false);
      } else {
        proven(ErrorCode.SESSION_LOST, text + ": the peer was replaced", true);
      }
      return false;
    }
    if (session != null && !welcome.resumed()) {
      proven(
          ErrorCode.SESSION_LOST,
          "node " + peerText(welcome) + " no longer knows the session",
          true);
      return false;
    }
    boolean rightId =
        session == null
            ? NodeIdentity.isId(welcome.sessionIdHigh(), welcome.sessionIdLow())
            : session.idHigh() == welcome.sessionIdHigh()
                && session.idLow() == welcome.sessionIdLow();
    if (!rightId) {
      proven(ErrorCode.PROTOCOL_VIOLATION, "WELCOME names another session than HELLO", false);
    }
    return rightId;
  }

  private boolean rightTerms(Welcome welcome) {
    if (welcome.version() < config.minVersion() || welcome.version() > config.maxVersion()) {
      proven(
          ErrorCode.UNSUPPORTED_VERSION,
          "this node speaks versions "
              + config.minVersion()
              + " to "
              + config.maxVersion()
              + ", the peer chose "
              + welcome.version(),
          false);
      return false;
    }
    if ((welcome.features() & ~config.features()) != 0) {
      proven(
          ErrorCode.PROTOCOL_VIOLATION,
          String.format(
              "features: offered %x, the peer agreed to %x", config.features(), welcome.features()),
          false);
      return false;
    }
    if (welcome.maxFrameLength() != config.agreedFrameLength(welcome.maxFrameLength())) {
      proven(
          ErrorCode.PROTOCOL_VIOLATION,
          "maxFrameLength: expected "
              + HandshakeConfig.MIN_FRAME_LENGTH
              + " to "
              + config.maxFrameLength()
              + ", the peer agreed to "
              + Integer.toUnsignedString(welcome.maxFrameLength()),
          false);
      return false;
    }
    return true;
  }

  private Trust trustIn(Welcome welcome, Octets sessionKey) {
    return new Trust(
        new KnownSession(
            welcome.sessionIdHigh(),
            welcome.sessionIdLow(),
            sessionKey,
            new NodeIdentity(welcome.nodeIdHigh(), welcome.nodeIdLow(), welcome.nodeName()),
            attempt.serverCertificate()),
        welcome.resumed(),
        attempt.lane(),
        attempt.epoch(),
        welcome.version(),
        welcome.features(),
        welcome.maxFrameLength(),
        HandshakeConfig.peerMaxChannels(welcome.maxChannels()),
        HandshakeConfig.peerHeartbeatMillis(welcome.heartbeatMillis()));
  }

  private Octets key(Welcome welcome) {
    return welcome.resumed() ? attempt.session().orElseThrow().key() : config.secret().key();
  }

  private void unproven(ErrorCode code, String text) {
    boolean mistaken = code == ErrorCode.AUTHENTICATION_FAILED && attempt.session().isEmpty();
    refuseAndTell(code, text, !mistaken, false);
  }

  private void proven(ErrorCode code, String text, boolean sessionUnknown) {
    refuseAndTell(code, text, false, sessionUnknown);
  }

  private static String peerText(Welcome welcome) {
    return NodeIdentity.hex(welcome.nodeIdHigh(), welcome.nodeIdLow());
  }

  @Override
  String expected() {
    return "WELCOME";
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import java.util.Optional;

/**
 * The acceptor's side of one connection's handshake: answers HELLO with WELCOME, judges PROOF. Feed
 * it what the peer says until {@code outcome} is decided. A refusal comes with a GOAWAY, but for a
 * bad proof, which is only worth a closed connection.
 *
 * <p>A HELLO that names a session which the lookup does not know is answered with {@code resumed =
 * false} and session id 0, proven with the secret: the dialer then gives the session up, and asks
 * for a new one on another connection.
 *
 * <p>Sessions are only read, and their epochs not before the proof holds. Where connections are
 * accepted on several threads, the session's owner checks the epoch again when it adopts the
 * connection.
 *
 * <p>Pure: one thread at a time, never blocks, throws only for mistakes of its caller.
 */
public final class AcceptorHandshake extends Handshake {
  private final AcceptAttempt attempt;
  private final SessionLookup sessions;

  private Hello hello;
  private Welcome welcome;
  private Transcript transcript;
  private Octets key;

  /**
   * Prepares the handshake of one connection.
   *
   * @param config what this node offers
   * @param self who this node is
   * @param attempt what is particular to this connection
   * @param sessions the sessions that may be resumed
   */
  public AcceptorHandshake(
      HandshakeConfig config, NodeIdentity self, AcceptAttempt attempt, SessionLookup sessions) {
    super(config, self);
    this.attempt = attempt;
    this.sessions = sessions;
  }

  /**
   * Begins to wait for HELLO; emits nothing.
   *
   * @param out where this side's frames go, for the whole handshake
   */
  public void start(Frames out) {
    startWith(out);
  }

  @Override
  public void hello(Hello peer) {
    if (hello != null) {
      unexpected("HELLO");
    } else if (open() && acceptable(peer)) {
      hello = peer;
      answer();
    }
  }

  @Override
  public void proof(Octets proof) {
    if (hello == null) {
      unexpected("PROOF");
    } else if (open() && proven(proof)) {
      if (welcome.resumed()) {
        resume();
      } else if (named(hello)) {
        refuseAndTell(ErrorCode.SESSION_LOST, "this node does not know the session", false, false);
      } else {
        trust(trustIn(transcript.sessionKey(key)));
      }
    }
  }

  private boolean acceptable(Hello peer) {
    String malformed =
        peer.minVersion() > peer.maxVersion()
            ? "its lowest version is above its highest"
            : malformed(peer.nodeIdHigh(), peer.nodeIdLow(), peer.nonce(), peer.nodeName());
    if (malformed != null) {
      refuseAndTell(ErrorCode.PROTOCOL_VIOLATION, "bad HELLO: " + malformed, true, false);
      return false;
    }
    if (self.has(peer.nodeIdHigh(), peer.nodeIdLow())) {
      refuseAndTell(ErrorCode.AUTHENTICATION_FAILED, ownNode(), false, false);
      return false;
    }
    if (version(peer) < Math.max(config.minVersion(), peer.minVersion())) {
      refuseAndTell(
          ErrorCode.UNSUPPORTED_VERSION,
          "the acceptor speaks versions "
              + config.minVersion()
              + " to "
              + config.maxVersion()
              + ", the dialer "
              + peer.minVersion()
              + " to "
              + peer.maxVersion()
              + ": upgrade the older node",
          false,
          false);
      return false;
    }
    return true;
  }

  private void answer() {
    boolean named = named(hello);
    Optional<KnownSession> known = named ? lookUp() : Optional.empty();
    key = known.map(KnownSession::key).orElse(config.secret().key());
    if (key.length() > 0 != config.secret().isPresent()) {
      throw new IllegalStateException("a session keeps the sharedSecret that it was made with");
    }
    boolean lost = named && known.isEmpty();
    Welcome unproven =
        new Welcome(
            version(hello),
            self.idHigh(),
            self.idLow(),
            lost ? 0 : named ? hello.sessionIdHigh() : attempt.freshSessionHigh(),
            lost ? 0 : named ? hello.sessionIdLow() : attempt.freshSessionLow(),
            known.isPresent(),
            hello.features() & config.features(),
            config.agreedFrameLength(hello.maxFrameLength()),
            config.maxChannels(),
            config.heartbeatMillis(),
            attempt.nonce(),
            Octets.EMPTY,
            self.name());
    transcript = new Transcript(hello, unproven, attempt.serverCertificate());
    welcome = Transcript.withProof(unproven, transcript.acceptorProof(key));
    out().welcome(welcome);
  }

  private boolean proven(Octets proof) {
    String mismatch = schemeMismatch(proof);
    if (mismatch == null && !transcript.dialerProof(key, welcome.proof()).equals(proof)) {
      mismatch =
          "the proof of node "
              + NodeIdentity.hex(hello.nodeIdHigh(), hello.nodeIdLow())
              + " is wrong: its key differs, or the handshake was altered or replayed";
    }
    if (mismatch != null) {
      refuse(ErrorCode.AUTHENTICATION_FAILED, mismatch, false, false);
    }
    return mismatch == null;
  }

  /** The proof holds; now, and only now, the session's own state counts. */
  private void resume() {
    KnownSession session = lookUp().orElse(null);
    if (session == null || !session.key().equals(key)) {
      refuseAndTell(ErrorCode.SESSION_LOST, "the session has just expired", false, false);
    } else if (!session.peer().has(hello.nodeIdHigh(), hello.nodeIdLow())) {
      refuseAndTell(
          ErrorCode.AUTHENTICATION_FAILED, "the session belongs to another node", false, false);
    } else if (!session.peerCertificate().equals(attempt.peerCertificate())) {
      refuseAndTell(
          ErrorCode.AUTHENTICATION_FAILED,
          "the dialer's certificate is not the one that the session began with",
          false,
          false);
    } else {
      resumeAbove(sessions.highestEpoch(hello.sessionIdHigh(), hello.sessionIdLow(), hello.lane()));
    }
  }

  private void resumeAbove(long highestEpoch) {
    if (Integer.toUnsignedLong(hello.epoch()) > highestEpoch) {
      trust(trustIn(key));
    } else {
      refuseAndTell(
          ErrorCode.FENCED,
          "lane "
              + hello.lane()
              + " came up with epoch "
              + highestEpoch
              + ", this connection has epoch "
              + Integer.toUnsignedString(hello.epoch()),
          false,
          false);
    }
  }

  private Trust trustIn(Octets sessionKey) {
    return new Trust(
        new KnownSession(
            welcome.sessionIdHigh(),
            welcome.sessionIdLow(),
            sessionKey,
            new NodeIdentity(hello.nodeIdHigh(), hello.nodeIdLow(), hello.nodeName()),
            attempt.peerCertificate()),
        welcome.resumed(),
        hello.lane(),
        hello.epoch(),
        welcome.version(),
        welcome.features(),
        welcome.maxFrameLength(),
        HandshakeConfig.peerMaxChannels(hello.maxChannels()),
        HandshakeConfig.peerHeartbeatMillis(hello.heartbeatMillis()));
  }

  private Optional<KnownSession> lookUp() {
    return sessions.find(hello.sessionIdHigh(), hello.sessionIdLow());
  }

  private int version(Hello peer) {
    return Math.min(config.maxVersion(), peer.maxVersion());
  }

  private static boolean named(Hello hello) {
    return NodeIdentity.isId(hello.sessionIdHigh(), hello.sessionIdLow());
  }

  @Override
  String expected() {
    return hello == null ? "HELLO" : "PROOF";
  }
}

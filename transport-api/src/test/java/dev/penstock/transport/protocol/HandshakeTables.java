package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** What the two sides of a handshake answer, found out by asking them. */
final class HandshakeTables {
  private static final NodeIdentity STRANGER = new NodeIdentity(77, 78, "stranger");

  private final StringBuilder text =
      new StringBuilder("| what comes | says | outcome |\n| --- | --- | --- |\n");

  private HandshakeTables() {}

  private static KnownSession session(NodeIdentity peer, Octets key, Octets certificate) {
    return new KnownSession(Encounter.SESSION_HIGH, Encounter.SESSION_LOW, key, peer, certificate);
  }

  private void row(String event, SaidFrames said, int from, Handshake side, boolean dialer) {
    List<String> frames =
        said.all.subList(from, said.all.size()).stream()
            .map(
                frame ->
                    frame.kind().equals("goAway")
                        ? "GOAWAY " + frame.arguments().get(0)
                        : frame.kind().toUpperCase(Locale.ROOT))
            .toList();
    text.append("| ").append(event).append(" | ");
    text.append(frames.isEmpty() ? "–" : String.join(", ", frames)).append(" | ");
    text.append(outcome(side, dialer)).append(" |\n");
  }

  private static String outcome(Handshake side, boolean dialer) {
    if (side.outcome() instanceof HandshakeOutcome.Refused refused) {
      String then = "";
      if (dialer) {
        then =
            refused.sessionUnknown()
                ? ", session is gone"
                : refused.retryable() ? ", dials again" : ", gives up";
      }
      return "refused: " + refused.code() + then;
    }
    return side.outcome() instanceof HandshakeOutcome.Trusted ? "trusted" : "goes on";
  }

  // --- Dialer

  static String dialer() {
    HandshakeTables table = new HandshakeTables();
    table.unprovenWelcomes();
    table.provenWelcomes();
    table.dialed("GOAWAY", false, d -> d.goAway(ErrorCode.SHUTTING_DOWN, "", false));
    table.dialed("any other frame", false, d -> d.ping(1));
    return table.text.toString();
  }

  private void unprovenWelcomes() {
    welcomed("WELCOME whose proof holds", Encounter.SECRET, false, "nodeName", "acceptor");
    welcomed(
        "node id 0, or a nonce of another length", SharedSecret.NONE, false, "nonce", octets(5));
    welcomed("proof neither empty nor 32 bytes", Encounter.SECRET, false, "proof", octets(5));
    welcomed("`resumed`, but HELLO named no session", SharedSecret.NONE, false, "resumed", true);
    welcomed("proof empty, this side has a secret", Encounter.SECRET, false, "proof", Octets.EMPTY);
    welcomed("proof given, this side has no secret", SharedSecret.NONE, false, "proof", octets(32));
    welcomed("proof wrong, in a first contact", Encounter.SECRET, false, "proof", octets(32));
    welcomed("proof wrong, in a resume", Encounter.SECRET, true, "proof", octets(32));
    dialed(
        "this node's own id",
        false,
        d ->
            d.welcome(
                Altered.with(
                    Altered.with(welcome(false), "nodeIdHigh", Encounter.DIALER.idHigh()),
                    "nodeIdLow",
                    Encounter.DIALER.idLow())));
  }

  private void provenWelcomes() {
    DialAttempt picky =
        new DialAttempt(
            Optional.empty(),
            Optional.of(STRANGER),
            0,
            1,
            Encounter.dialerNonce(0),
            Encounter.SERVER_CERTIFICATE);
    dialed("proven, another node than the one expected", picky, d -> d.welcome(welcome(false)));
    welcomed(
        "proven, `resumed` = 0, HELLO named a session", SharedSecret.NONE, true, "resumed", false);
    welcomed("proven, another node than the session's", SharedSecret.NONE, true, "nodeIdLow", 99L);
    welcomed("proven, another session id", SharedSecret.NONE, true, "sessionIdLow", 99L);
    welcomed("proven, a version that was not offered", SharedSecret.NONE, false, "version", 9);
    welcomed("proven, a feature that was not offered", SharedSecret.NONE, false, "features", 8L);
    welcomed(
        "proven, longer frames than offered", SharedSecret.NONE, false, "maxFrameLength", 1 << 20);
  }

  /** A WELCOME of which one field is changed after it was proven. */
  private void welcomed(
      String event, SharedSecret secret, boolean resume, String field, Object value) {
    Octets key = secret.isPresent() ? octets(32) : Octets.EMPTY;
    KnownSession atDialer = session(Encounter.ACCEPTOR, key, Encounter.SERVER_CERTIFICATE);
    OneSession atAcceptor =
        new OneSession(session(Encounter.DIALER, key, Encounter.CLIENT_CERTIFICATE));
    DialAttempt attempt = resume ? Encounter.resume(atDialer, 0, 2) : Encounter.firstDial(0);
    HandshakeConfig config = Encounter.config(secret);
    Encounter met =
        Encounter.of(config, config, attempt, resume ? atAcceptor : SessionLookup.EMPTY);
    met.onWelcome = welcome -> Altered.with(welcome, field, value);
    met.run();
    row(event, met.byDialer, 1, met.dialer, true);
  }

  private void dialed(String event, boolean resume, Consumer<Frames> peer) {
    KnownSession known = session(Encounter.ACCEPTOR, Octets.EMPTY, Encounter.SERVER_CERTIFICATE);
    dialed(event, resume ? Encounter.resume(known, 0, 2) : Encounter.firstDial(0), peer);
  }

  private void dialed(String event, DialAttempt attempt, Consumer<Frames> peer) {
    DialerHandshake dialer =
        new DialerHandshake(Encounter.config(SharedSecret.NONE), Encounter.DIALER, attempt);
    SaidFrames said = new SaidFrames();
    dialer.start(said.recorder());
    peer.accept(dialer);
    row(event, said, 1, dialer, true);
  }

  private static Welcome welcome(boolean resumed) {
    return new Welcome(
        1,
        Encounter.ACCEPTOR.idHigh(),
        Encounter.ACCEPTOR.idLow(),
        Encounter.SESSION_HIGH,
        Encounter.SESSION_LOW,
        resumed,
        0,
        64 * 1024,
        10_000,
        2_000,
        Encounter.acceptorNonce(0),
        Octets.EMPTY,
        "acceptor");
  }

  private static Octets octets(int length) {
    return Encounter.octets(length, 3);
  }

  // --- Acceptor

  static String acceptor() {
    HandshakeTables table = new HandshakeTables();
    table.hellos();
    table.proofs();
    return table.text.toString();
  }

  private void hellos() {
    greeted("HELLO", hello -> hello);
    greeted("HELLO, lowest version above the highest", hello -> with(hello, "minVersion", 9));
    greeted(
        "HELLO, node id 0, or a nonce of another length", hello -> with(hello, "nonce", octets(5)));
    greeted(
        "HELLO, this node's own id",
        hello ->
            with(
                with(hello, "nodeIdHigh", Encounter.ACCEPTOR.idHigh()),
                "nodeIdLow",
                Encounter.ACCEPTOR.idLow()));
    greeted(
        "HELLO, no version in common",
        hello -> with(with(hello, "maxVersion", 9), "minVersion", 9));
    greeted(
        "HELLO naming a session that is not known (WELCOME says `resumed` = 0, session id 0)",
        hello -> with(hello, "sessionIdLow", 99L));
    accepted("GOAWAY", a -> a.goAway(ErrorCode.SHUTTING_DOWN, "", false));
    accepted("any other frame before HELLO", a -> a.proof(Octets.EMPTY));
    accepted(
        "any frame but PROOF behind WELCOME",
        1,
        a -> {
          a.hello(hello());
          a.ping(1);
        });
  }

  private static <R extends Record> R with(R record, String field, Object value) {
    return Altered.with(record, field, value);
  }

  private static Hello hello() {
    Encounter met = Encounter.first(SharedSecret.NONE, SharedSecret.NONE).run();
    return met.byDialer.hello();
  }

  private void greeted(String event, java.util.function.UnaryOperator<Hello> change) {
    accepted(event, a -> a.hello(change.apply(hello())));
  }

  private void accepted(String event, Consumer<Frames> peer) {
    accepted(event, 0, peer);
  }

  private void accepted(String event, int from, Consumer<Frames> peer) {
    AcceptorHandshake acceptor =
        new AcceptorHandshake(
            Encounter.config(SharedSecret.NONE),
            Encounter.ACCEPTOR,
            Encounter.accept(0),
            SessionLookup.EMPTY);
    SaidFrames said = new SaidFrames();
    acceptor.start(said.recorder());
    peer.accept(acceptor);
    row(event, said, from, acceptor, false);
  }

  private void proofs() {
    proven("PROOF, new session", null, sessions -> {});
    NodeIdentity dialer = Encounter.DIALER;
    Octets certificate = Encounter.CLIENT_CERTIFICATE;
    KnownSession known = session(dialer, octets(32), certificate);
    proven("PROOF, epoch above the highest of the lane", known, sessions -> {});
    proven("PROOF, epoch not above it", known, sessions -> sessions.highestEpoch = 2);
    proven(
        "PROOF, the session has expired since HELLO", known, sessions -> sessions.session = null);
    proven(
        "PROOF, the session is another node's",
        session(STRANGER, octets(32), certificate),
        s -> {});
    proven(
        "PROOF, another certificate than the session's",
        session(dialer, octets(32), octets(32)),
        s -> {});
    accepted(
        "PROOF, HELLO named a session that is not known",
        1,
        a -> {
          a.hello(with(hello(), "sessionIdLow", 99L));
          a.proof(Octets.EMPTY);
        });
    Encounter wrong = Encounter.first(Encounter.SECRET, Encounter.SECRET);
    wrong.onProof = proof -> octets(32);
    wrong.run();
    row("PROOF that is wrong, missing or not expected", wrong.byAcceptor, 1, wrong.acceptor, false);
  }

  /** A dialer that resumes against an acceptor whose sessions change once WELCOME is out. */
  private void proven(String event, KnownSession atAcceptor, Consumer<OneSession> meanwhile) {
    OneSession sessions = new OneSession(atAcceptor);
    sessions.highestEpoch = 1;
    KnownSession atDialer = session(Encounter.ACCEPTOR, octets(32), Encounter.SERVER_CERTIFICATE);
    HandshakeConfig config = Encounter.config(Encounter.SECRET);
    DialAttempt attempt =
        atAcceptor == null ? Encounter.firstDial(0) : Encounter.resume(atDialer, 0, 2);
    Encounter met = Encounter.of(config, config, attempt, sessions);
    met.onWelcome =
        welcome -> {
          meanwhile.accept(sessions);
          return welcome;
        };
    met.run();
    row(event, met.byAcceptor, 1, met.acceptor, false);
  }
}

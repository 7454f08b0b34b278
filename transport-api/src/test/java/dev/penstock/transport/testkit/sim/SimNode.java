package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.AcceptAttempt;
import dev.penstock.transport.protocol.AcceptorHandshake;
import dev.penstock.transport.protocol.Admission;
import dev.penstock.transport.protocol.DialAttempt;
import dev.penstock.transport.protocol.DialerHandshake;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.HandshakeConfig;
import dev.penstock.transport.protocol.HandshakeOutcome;
import dev.penstock.transport.protocol.KnownSession;
import dev.penstock.transport.protocol.NodeIdentity;
import dev.penstock.transport.protocol.Rendezvous;
import dev.penstock.transport.protocol.Rendezvous.Opening;
import dev.penstock.transport.protocol.Rendezvous.Registration;
import dev.penstock.transport.protocol.SessionLookup;
import dev.penstock.transport.protocol.Trust;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One process: sessions that it dialed and accepted, its gates, its budgets. */
final class SimNode implements Agenda.Host, SessionLookup {
  private record Waiting(SimLane lane, int number) {}

  private final World world;
  private final int address;
  private final boolean liar;
  private final NodeIdentity identity;
  private final HandshakeConfig config;
  private final Rendezvous<SimEnd, Waiting> rendezvous = new Rendezvous<>();
  private final SimBudget budget;
  private final SimAssembly assembly;
  private final Applications applications;
  private final List<SimSession> sessions = new ArrayList<>();
  private final List<SimEnd> ends = new ArrayList<>();
  private final List<SimConsumer> charged = new ArrayList<>();
  private final List<Endpoint> sockets = new ArrayList<>();
  private boolean alive = true;
  private long pausedUntil = -1;

  SimNode(World world, int address, boolean liar) {
    this.world = world;
    this.address = address;
    this.liar = liar;
    Chance chance = world.chance();
    identity = new NodeIdentity(chance.number() | 1, chance.number(), "node" + address);
    Plan plan = world.plan();
    config =
        new HandshakeConfig(
            1,
            1,
            plan.payloadCrcOff ? HandshakeConfig.PAYLOAD_CRC_OFF : 0,
            plan.maxFrameLength,
            plan.maxChannels,
            plan.heartbeatMillis,
            world.secret());
    budget = new SimBudget(world, this, plan.budgetBytes, plan.budgetChannels);
    assembly = new SimAssembly(world, plan.assemblyBytes);
    applications = new Applications(world, this);
  }

  int address() {
    return address;
  }

  boolean isLiar() {
    return liar;
  }

  SimBudget budget() {
    return budget;
  }

  SimAssembly assembly() {
    return assembly;
  }

  Applications applications() {
    return applications;
  }

  List<SimEnd> ends() {
    return ends;
  }

  /** Consumers that have something of the budget. */
  List<SimConsumer> charged() {
    return charged;
  }

  List<SimSession> sessions() {
    return sessions;
  }

  @Override
  public boolean isAlive() {
    return alive;
  }

  @Override
  public long pausedUntil() {
    return pausedUntil;
  }

  void pause(long until) {
    pausedUntil = until;
  }

  void eachEnd(SimLane lane, Consumer<SimEnd> action) {
    for (SimEnd end : ends) {
      if (end.lane() == lane && !end.isOver()) {
        action.accept(end);
      }
    }
  }

  // --- Connections

  private Octets nonce() {
    byte[] bytes = new byte[WireLimits.NONCE_BYTES];
    world.chance().fill(bytes);
    return Octets.copyOf(bytes);
  }

  void dial(SimSession session, SimLane lane, int epoch) {
    SimNode peer = world.node(session.peer());
    boolean fails = world.chaos() && world.plan().dialFailures && world.chance().oneIn(3);
    if (fails || !peer.isAlive()) {
      world
          .agenda()
          .after(
              world.chance().millis(0, 300),
              this,
              () -> {
                world.covers(Row.LANE_DIAL_FAILED);
                world.covers(ErrorCode.PEER_UNREACHABLE);
                lane.connectFailed(ErrorCode.PEER_UNREACHABLE, "connection refused", false);
              });
      return;
    }
    world.agenda().after(world.chance().micros(10, 500), this, () -> dialed(session, lane, epoch));
  }

  private void dialed(SimSession session, SimLane lane, int epoch) {
    if (session.isOver()) {
      return;
    }
    SimNode peer = world.node(session.peer());
    if (!peer.isAlive()) {
      lane.connectFailed(ErrorCode.PEER_UNREACHABLE, "connection refused", false);
      return;
    }
    Connection connection = new Connection(world, this, peer);
    Wire mine = new Wire(world, this, connection.dialer(), true);
    Wire theirs = new Wire(world, peer, connection.acceptor(), false);
    connection.connect(mine, theirs);
    sockets.add(connection.dialer());
    peer.sockets.add(connection.acceptor());
    theirs.accept(peer.acceptor());
    DialAttempt attempt =
        session.known() == null
            ? DialAttempt.first(lane.index(), epoch, nonce(), Octets.EMPTY)
            : DialAttempt.resume(session.known(), lane.index(), epoch, nonce(), Octets.EMPTY);
    mine.dial(lane, new DialerHandshake(config, identity, attempt));
  }

  private AcceptorHandshake acceptor() {
    Chance chance = world.chance();
    AcceptAttempt attempt =
        new AcceptAttempt(
            nonce(), chance.number() | 1, chance.number(), Octets.EMPTY, Octets.EMPTY);
    return new AcceptorHandshake(config, identity, attempt, this);
  }

  /** Somebody without the secret, or who does not speak the protocol at all, connects to a node. */
  void harass(SimNode victim) {
    Connection connection = new Connection(world, this, victim);
    Wire mine = new Wire(world, this, connection.dialer(), true);
    Wire theirs = new Wire(world, victim, connection.acceptor(), false);
    connection.connect(mine, theirs);
    sockets.add(connection.dialer());
    victim.sockets.add(connection.acceptor());
    theirs.accept(victim.acceptor());
    if (world.chance().oneIn(3)) {
      byte[] noise = new byte[world.chance().between(Sofh.LENGTH, 3_000)];
      world.chance().fill(noise);
      if (world.chance().oneIn(3)) {
        // Like a frame, but too long for anybody.
        int length = world.plan().maxFrameLength + world.chance().between(1, 1 << 30);
        Sofh.put(ByteBuffer.wrap(noise), 0, length, world.codec().encodingType());
      }
      mine.babble(noise);
    } else {
      mine.intrude(nonce());
    }
  }

  void trusted(Wire wire, SimLane dialedFor, Trust trust) {
    if (wire.end().isClosed()) {
      return;
    }
    if (dialedFor != null) {
      if (dialedFor.session().isOver()) {
        wire.abandon();
      } else {
        dialedFor.session().trusted(dialedFor, wire, trust);
      }
      return;
    }
    SimSession session = trust.resumed() ? session(trust.session()) : null;
    if ((trust.resumed() && (session == null || session.isOver()))
        || trust.lane() >= world.plan().lanes) {
      wire.abandon();
      return;
    }
    if (session == null) {
      int peer = world.addressOf(trust.session().peer());
      if (peer < 0) {
        if (world.plan().secret && !world.wasNode(trust.session().peer())) {
          throw new SimFailure(this + " trusts a stranger");
        }
        wire.abandon();
        return;
      }
      session = new SimSession(world, this, peer, false, trust.session());
      sessions.add(session);
    }
    session.trusted(session.lane(trust.lane()), wire, trust);
  }

  NodeIdentity identity() {
    return identity;
  }

  void refused(SimLane lane, Wire wire, HandshakeOutcome.Refused refused) {
    if (!lane.session().isOver()) {
      lane.session().refused(lane, refused);
    }
  }

  void dialFailed(SimLane lane, Wire wire, ErrorCode code, String text, boolean hopeless) {
    if (!lane.session().isOver()) {
      lane.connectFailed(code, text, hopeless);
    }
  }

  // --- Sessions

  private SimSession session(KnownSession known) {
    for (SimSession session : sessions) {
      if (!session.dialer()
          && session.known().idHigh() == known.idHigh()
          && session.known().idLow() == known.idLow()) {
        return session;
      }
    }
    return null;
  }

  @Override
  public Optional<KnownSession> find(long idHigh, long idLow) {
    for (SimSession session : sessions) {
      if (!session.dialer()
          && !session.isOver()
          && session.known().idHigh() == idHigh
          && session.known().idLow() == idLow) {
        return Optional.of(session.known());
      }
    }
    return Optional.empty();
  }

  @Override
  public long highestEpoch(long idHigh, long idLow, int lane) {
    for (SimSession session : sessions) {
      if (!session.dialer()
          && session.known().idHigh() == idHigh
          && session.known().idLow() == idLow) {
        return session.highestEpoch(lane);
      }
    }
    return NO_EPOCH;
  }

  void sessionUp(SimSession session) {
    boolean dialedToo = false;
    boolean acceptedToo = false;
    for (SimSession each : sessions) {
      if (each.peer() == session.peer() && !each.isOver()) {
        dialedToo |= each.dialer();
        acceptedToo |= !each.dialer();
      }
    }
    if (dialedToo && acceptedToo) {
      world.covers(Rule.R11_TWO_SESSIONS);
    }
  }

  void sessionOver(SimSession session) {
    sessions.remove(session);
  }

  private SimSession sessionTo(int peer) {
    for (SimSession session : sessions) {
      if (session.dialer() && session.peer() == peer && session.takesChannels()) {
        return session;
      }
    }
    SimSession session = new SimSession(world, this, peer, true, null);
    sessions.add(session);
    return session;
  }

  // --- Gates

  void register(SimEnd end) {
    ends.add(end);
    if (!end.reserve()) {
      world.covers(Rule.R4_REGISTRATION_REFUSED);
      end.endUnbound(ErrorCode.RESOURCE_EXHAUSTED, "the budget has no floor left");
      return;
    }
    if (end instanceof SimConsumer consumer) {
      charged.add(consumer);
    }
    Registration<SimEnd, Waiting> answer =
        rendezvous.register(end.role(), end.key(), end, end.opens());
    if (answer instanceof Registration.Fenced<SimEnd, Waiting>) {
      world.covers(Rule.R11_OLDER_GATE_FENCED);
      end.endUnbound(ErrorCode.FENCED, "a newer attempt is registered");
      return;
    }
    Registration.Registered<SimEnd, Waiting> registered =
        (Registration.Registered<SimEnd, Waiting>) answer;
    registered.superseded().ifPresent(SimEnd::fence);
    for (Waiting refused : registered.refused()) {
      onLane(
          refused.lane(),
          lane -> {
            world.covers(Row.RECEIVE_OLDER_ATTEMPT);
            lane.core().refuse(refused.number(), ErrorCode.FENCED, "a newer attempt came");
          });
    }
    registered.answered().ifPresent(waiting -> answer(waiting, end));
    if (end.opens()) {
      open(end);
    } else {
      world
          .agenda()
          .after(
              world.plan().openTimeout,
              this,
              () -> end.endUnbound(ErrorCode.DEADLINE_EXCEEDED, "no peer came"));
    }
  }

  private void answer(Waiting waiting, SimEnd end) {
    world.covers(Rule.R11_CHANNEL_FIRST);
    onLane(
        waiting.lane(),
        lane -> {
          if (end.isOver()) {
            lane.core().refuse(waiting.number(), ErrorCode.CANCELLED, "the gate is gone");
            return;
          }
          if (lane.core().answer(waiting.number(), end.bind(), flow -> end.attached(lane, flow))) {
            world.covers(Row.RECEIVE_REGISTERED);
          } else {
            rendezvous.release(end.role(), end.key(), end);
            end.unbind();
          }
        });
  }

  /** Does something with a lane on its loop, after a while. */
  void onLane(SimLane lane, Consumer<SimLane> action) {
    world
        .agenda()
        .after(
            world.chance().micros(0, 30),
            this,
            () -> {
              action.accept(lane);
              lane.turn();
            });
  }

  private void open(SimEnd end) {
    if (end.isOver() || end.lane() != null) {
      return;
    }
    SimSession session = sessionTo(end.peer());
    SimLane lane = session.lane(Math.floorMod(end.key().hashCode(), world.plan().lanes));
    onLane(
        lane,
        on -> {
          if (end.isOver()) {
            return;
          }
          long patience = world.plan().openTimeout;
          Flow flow =
              end.open(
                  on, world.agenda().now() + world.chance().between(patience / 2, 2 * patience));
          if (flow != null) {
            end.attached(on, flow);
          } else if (world.agenda().now() > end.openDeadline()) {
            end.endUnbound(ErrorCode.DEADLINE_EXCEEDED, "no session takes the channel");
          } else {
            world.agenda().after(world.chance().millis(1, 200), this, () -> open(end));
          }
        });
  }

  Admission admit(SimLane lane, int number, Role role, ChannelKey key) {
    Opening<SimEnd, Waiting> opening = rendezvous.open(role, key, new Waiting(lane, number));
    if (opening instanceof Opening.Accepted<SimEnd, Waiting> accepted) {
      world.covers(Rule.R11_GATE_FIRST);
      SimEnd end = accepted.gate();
      return new Admission.Accept(end.bind(), flow -> end.attached(lane, flow));
    }
    if (opening instanceof Opening.Waits<SimEnd, Waiting> waits) {
      for (Waiting refused : waits.refused()) {
        onLane(
            refused.lane(),
            on -> on.core().refuse(refused.number(), ErrorCode.FENCED, "opened again"));
      }
      return Admission.WAIT;
    }
    world.covers(Rule.R11_OLDER_CHANNEL_FENCED);
    world.covers(Row.RECEIVE_OLDER_ATTEMPT);
    return new Admission.Refuse(ErrorCode.FENCED, "another attempt or channel has the key");
  }

  void stoppedWaiting(SimLane lane, int number, Role role, ChannelKey key) {
    rendezvous.stoppedWaiting(role, key, new Waiting(lane, number));
  }

  /** What a consumer held has been given back. */
  void discharged(SimConsumer consumer) {
    charged.remove(consumer);
  }

  void over(SimEnd end) {
    rendezvous.unregister(end.role(), end.key(), end);
  }

  int places() {
    return rendezvous.places();
  }

  // --- The end

  /** The process is killed: nothing of it is left but bytes under way. */
  void kill(boolean silently) {
    alive = false;
    for (Endpoint socket : sockets) {
      socket.die(silently);
    }
    for (SimEnd end : ends) {
      end.vanish();
    }
  }

  void drain() {
    for (SimSession session : List.copyOf(sessions)) {
      session.drain();
    }
  }

  @Override
  public String toString() {
    return "n" + address + (liar ? "!" : "");
  }
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.Admission;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.LanePort;
import dev.penstock.transport.protocol.LaneStats;
import dev.penstock.transport.protocol.ProtocolAccess;
import dev.penstock.transport.protocol.ReceiveFlow;
import dev.penstock.transport.protocol.SendFlow;
import dev.penstock.transport.protocol.Trust;
import dev.penstock.transport.wire.Role;
import java.util.ArrayList;
import java.util.List;

/** A lane on its event loop: the core, at most one connection, one timer, and turns. */
final class SimLane implements LanePort {
  private static final int MOST_BARREN = 6;

  private final World world;
  private final SimSession session;
  private final int index;
  private final Lane core;
  private final Fairness fairness;
  private final List<SimConsumer> touched = new ArrayList<>();
  private Wire wire;
  private boolean inTurn;
  private boolean turnScheduled;
  private long timerAt = Lane.NEVER;
  private int timers;
  private boolean hadConnection;
  private int barren;
  private long progressSeen;
  private boolean pongSeen;

  SimLane(World world, SimSession session, int index) {
    this.world = world;
    this.session = session;
    this.index = index;
    this.core = new Lane(world.laneConfig(session.dialer()), this, world.agenda().now());
    this.fairness = new Fairness(world, this);
    if (world.plan().fewNumbers) {
      ProtocolAccess.leaveNumbers(core, 3);
    }
    armTimer();
  }

  Lane core() {
    return core;
  }

  SimSession session() {
    return session;
  }

  int index() {
    return index;
  }

  Fairness fairness() {
    return fairness;
  }

  Wire wire() {
    return wire;
  }

  boolean isRestating() {
    return core.state() == Lane.State.RESTATING;
  }

  Seen seen(int number) {
    Flow flow = ProtocolAccess.flow(core, number);
    if (flow == null) {
      return Seen.NOTHING;
    }
    if (ProtocolAccess.hasNoGate(flow)) {
      return ProtocolAccess.isTerminal(flow) ? Seen.REFUSED : Seen.WAITING;
    }
    if (flow instanceof SendFlow send) {
      return switch (send.state()) {
        case OPENING -> Seen.SEND_OPENING;
        case OPEN -> Seen.SEND_OPEN;
        case FINISHING -> Seen.SEND_FINISHING;
        case ABORTING -> Seen.SEND_ABORTING;
        case DONE -> Seen.DONE;
      };
    }
    return switch (((ReceiveFlow) flow).state()) {
      case OPENING -> Seen.RECEIVE_OPENING;
      case OPEN -> Seen.RECEIVE_OPEN;
      case FINISHED -> Seen.RECEIVE_FINISHED;
      case RESETTING -> Seen.RECEIVE_RESETTING;
      case DONE -> Seen.DONE;
    };
  }

  // --- Connections

  /** A trusted connection takes the place of the one that the lane had. */
  void attach(Wire fresh, Trust trust) {
    Wire old = wire;
    if (old != null) {
      world.covers(Row.LANE_OLD_CONNECTION_FENCED);
      if (old.end().readable() > 0) {
        world.covers(Rule.R8_OLD_BYTES_DROPPED);
      }
      wire = null;
      old.abandon();
      broken();
    }
    if (core.state() == Lane.State.DEAD) {
      fresh.abandon();
      return;
    }
    wire = fresh;
    fairness.reset();
    world.covers(session.dialer() ? Row.LANE_WELCOMED : Row.LANE_PROOF_GOOD);
    if (hadConnection) {
      world.covers(Row.LANE_REDIALED);
    }
    hadConnection = true;
    core.connected(
        trust.maxFrameLength(),
        trust.peerMaxChannels(),
        trust.peerHeartbeatMillis() * Chance.MILLIS,
        world.agenda().now());
    fresh.carry(this);
    countBarren();
    turn();
  }

  /** Resumes that bring nothing must not go on for ever. */
  private void countBarren() {
    LaneStats stats = core.stats();
    long progress = stats.payloadBytesReceived + stats.acknowledgedBytes;
    barren = progress > progressSeen || pongSeen ? 0 : barren + 1;
    progressSeen = progress;
    pongSeen = false;
    if (barren > MOST_BARREN && core.everUp()) {
      throw new SimFailure(this + " was resumed " + barren + " times for nothing");
    }
  }

  void pong() {
    pongSeen = true;
  }

  void lost(Wire from) {
    if (from == wire) {
      wire = null;
      broken();
      turn();
    }
  }

  private void broken() {
    session
        .node()
        .eachEnd(
            this,
            end -> {
              if (end instanceof SimProducer producer && producer.isStreaming()) {
                world.covers(Row.SEND_BREAK);
              }
            });
    core.disconnected(world.agenda().now());
  }

  void connectFailed(ErrorCode code, String text, boolean hopeless) {
    core.connectFailed(code, text, hopeless, world.agenda().now());
    turn();
  }

  void written() {
    core.bytesWritten(world.agenda().now());
    watchSocket();
    if (core.hasOutput() && wire != null && wire.canWriteMore()) {
      scheduleTurn();
    }
  }

  private void watchSocket() {
    if (wire != null) {
      core.writePending(wire.pending() > 0, world.agenda().now());
    }
  }

  // --- Turns

  void touch(SimConsumer consumer) {
    if (!touched.contains(consumer)) {
      touched.add(consumer);
    }
  }

  void scheduleTurn() {
    if (!turnScheduled) {
      turnScheduled = true;
      world
          .agenda()
          .after(
              world.chance().micros(0, 20),
              session.node(),
              () -> {
                turnScheduled = false;
                turn();
              });
    }
  }

  void turn() {
    if (inTurn) {
      scheduleTurn();
      return;
    }
    inTurn = true;
    for (SimConsumer consumer : touched) {
      consumer.apply(core);
    }
    write();
    boolean again = false;
    for (SimConsumer consumer : List.copyOf(touched)) {
      again |= consumer.settle(core);
    }
    touched.clear();
    if (again) {
      write();
    }
    armTimer();
    inTurn = false;
    if (wire != null && core.hasOutput() && wire.canWriteMore()) {
      scheduleTurn();
    }
  }

  private void write() {
    Wire current = wire;
    if (current != null) {
      current.write();
      watchSocket();
    }
  }

  private void armTimer() {
    long at = core.deadline();
    if (at == Lane.NEVER || (timerAt != Lane.NEVER && timerAt <= at)) {
      return;
    }
    timerAt = at;
    int id = ++timers;
    world
        .agenda()
        .at(
            at,
            session.node(),
            () -> {
              if (id == timers) {
                timeout();
              }
            });
  }

  private void timeout() {
    timerAt = Lane.NEVER;
    watchSocket();
    long now = world.agenda().now();
    long at = core.deadline();
    if (at != Lane.NEVER && at - now <= 0) {
      world.trace().mix(now);
      core.timeout(now);
    }
    turn();
  }

  // --- LanePort

  @Override
  public void connect(int epoch) {
    session.connect(this, epoch);
  }

  @Override
  public double jitter() {
    return world.chance().fraction();
  }

  @Override
  public void disconnect(boolean afterWriting, ErrorCode code, String text) {
    world.trace().line(world.agenda().now(), () -> this + " disconnects: " + code + " " + text);
    if (code == ErrorCode.PEER_SILENT) {
      world.covers(code);
      boolean silent = text.startsWith("nothing came");
      world.covers(silent ? Row.LANE_SILENCE : Row.LANE_NO_WRITE_PROGRESS);
      world.covers(silent ? Rule.R13_SILENCE : Rule.R13_NO_WRITE_PROGRESS);
    }
    Wire over = wire;
    if (over != null) {
      if (afterWriting) {
        over.write();
      }
      wire = null;
      over.abandon();
    }
  }

  @Override
  public void up() {
    world.trace().line(world.agenda().now(), () -> this + " is up");
    session.up(this);
  }

  @Override
  public void dead(ErrorCode code, String text) {
    world.trace().line(world.agenda().now(), () -> this + " is dead: " + code + " " + text);
    world.covers(code);
    if (code == ErrorCode.PROTOCOL_VIOLATION) {
      world.covers(Row.LANE_VIOLATION);
      if (!session.facesLiar()) {
        throw new SimFailure(this + " saw a violation although nobody lies: " + text);
      }
    }
    if (text.startsWith("no connection for")) {
      world.covers(Row.LANE_WINDOW_OVER);
    } else if (text.contains("broke without progress")) {
      world.covers(Rule.R9_BARREN_RESUMES);
    } else if (text.contains("drained")) {
      world.covers(Row.LANE_DRAINED);
    }
    session.laneDead(this, code, text);
  }

  @Override
  public void peerDraining() {
    session.peerDraining();
  }

  @Override
  public Admission admit(int number, Role role, ChannelKey key) {
    return session.node().admit(this, number, role, key);
  }

  @Override
  public void stoppedWaiting(int number, Role role, ChannelKey key) {
    session.node().stoppedWaiting(this, number, role, key);
  }

  @Override
  public void forgotten(Flow flow) {}

  @Override
  public String toString() {
    return session + "." + index;
  }
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.HandshakeOutcome;
import dev.penstock.transport.protocol.KnownSession;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.Trust;
import java.util.ArrayList;
import java.util.List;

/** A node's side of a session: its lanes, and what is known of the peer. */
final class SimSession {
  private final World world;
  private final SimNode node;
  private final int peer;
  private final boolean dialer;
  private final SimLane[] lanes;
  private final long[] epochs;
  private final List<Runnable> waitForSession = new ArrayList<>();
  private KnownSession known;
  private boolean over;
  private boolean draining;

  SimSession(World world, SimNode node, int peer, boolean dialer, KnownSession known) {
    this.world = world;
    this.node = node;
    this.peer = peer;
    this.dialer = dialer;
    this.known = known;
    this.lanes = new SimLane[world.plan().lanes];
    this.epochs = new long[lanes.length];
    java.util.Arrays.fill(epochs, -1);
  }

  SimNode node() {
    return node;
  }

  int peer() {
    return peer;
  }

  boolean dialer() {
    return dialer;
  }

  KnownSession known() {
    return known;
  }

  boolean facesLiar() {
    return node.isLiar() || peer == world.plan().liar;
  }

  boolean takesChannels() {
    return !over && !draining;
  }

  boolean isOver() {
    return over;
  }

  long highestEpoch(int lane) {
    return lane < epochs.length ? epochs[lane] : Long.MAX_VALUE;
  }

  /** The lane with a number; a dialer makes it when it is first wanted. */
  SimLane lane(int index) {
    if (lanes[index] == null) {
      lanes[index] = new SimLane(world, this, index);
    }
    return lanes[index];
  }

  List<SimLane> lanes() {
    List<SimLane> all = new ArrayList<>();
    for (SimLane lane : lanes) {
      if (lane != null) {
        all.add(lane);
      }
    }
    return all;
  }

  // --- Dialing

  void connect(SimLane lane, int epoch) {
    if (over) {
      return;
    }
    if (lane.index() != 0 && !everUp()) {
      // Not before the peer has said READY on the first: it knows the session by then.
      lane(0);
      waitForSession.add(() -> node.dial(this, lane, epoch));
      return;
    }
    node.dial(this, lane, epoch);
  }

  private boolean everUp() {
    return lanes().stream().anyMatch(lane -> lane.core().everUp());
  }

  void trusted(SimLane lane, Wire wire, Trust trust) {
    boolean another =
        known != null
            && (known.idHigh() != trust.session().idHigh()
                || known.idLow() != trust.session().idLow());
    if (another) {
      throw new SimFailure(this + " has lanes of two sessions");
    }
    epochs[lane.index()] = Integer.toUnsignedLong(trust.epoch());
    known = trust.session();
    lane.attach(wire, trust);
  }

  void refused(SimLane lane, HandshakeOutcome.Refused refused) {
    if (refused.sessionUnknown()) {
      world.covers(Row.LANE_SESSION_UNKNOWN);
      if (!everUp()) {
        beginAnew(lane, refused);
      } else {
        die(ErrorCode.SESSION_LOST, refused.text());
      }
      return;
    }
    world.covers(Row.LANE_DIAL_FAILED);
    if (refused.retryable()) {
      lane.connectFailed(refused.code(), refused.text(), false);
    } else {
      die(refused.code(), refused.text());
    }
  }

  /**
   * The first lane never came up, so there is no other: the dialer asks for another session and
   * keeps what it has to open.
   */
  private void beginAnew(SimLane lane, HandshakeOutcome.Refused refused) {
    if (lane.index() != 0) {
      throw new SimFailure(lane + " was to join a session that the peer did not know yet");
    }
    world.covers(Rule.R8_BEGAN_ANEW);
    known = null;
    lane.connectFailed(refused.code(), refused.text(), false);
  }

  // --- The lanes' news

  void up(SimLane lane) {
    if (lane.core().stats().retransmittedFrames > 0) {
      world.covers(Rule.R8_SENT_AGAIN);
    }
    if (lane.core().stats().resumes > 0) {
      world.covers(Rule.R8_RESUMED);
    }
    node.sessionUp(this);
    joinOthers();
  }

  private void joinOthers() {
    List<Runnable> waiting = new ArrayList<>(waitForSession);
    waitForSession.clear();
    for (Runnable action : waiting) {
      world.agenda().after(0, node, action);
    }
  }

  void peerDraining() {
    draining = true;
    if (world.plan().fewNumbers) {
      world.covers(Rule.R2_NUMBERS_USED_UP);
    }
  }

  void laneDead(SimLane lane, ErrorCode code, String text) {
    if (draining && code == ErrorCode.SHUTTING_DOWN) {
      if (lanes().stream().allMatch(each -> each.core().state() == Lane.State.DEAD)) {
        finish();
      }
      return;
    }
    world.agenda().after(0, node, () -> die(code, text));
  }

  /** What ends one lane ends the session. */
  private void die(ErrorCode code, String text) {
    for (SimLane each : lanes()) {
      if (each.core().state() != Lane.State.DEAD) {
        Wire wire = each.wire();
        each.connectFailed(code, text, true);
        if (wire != null) {
          wire.abandon();
        }
      }
    }
    finish();
  }

  private void finish() {
    if (!over) {
      over = true;
      waitForSession.clear();
      node.sessionOver(this);
    }
  }

  // --- The node's commands

  void drain() {
    draining = true;
    world.covers(ErrorCode.SHUTTING_DOWN);
    for (SimLane each : lanes()) {
      each.core().drain(ErrorCode.SHUTTING_DOWN, "the node is closing");
      each.turn();
    }
    if (lanes().stream().allMatch(each -> each.core().state() == Lane.State.DEAD)) {
      finish();
    }
  }

  void close(ErrorCode code, String text) {
    for (SimLane each : lanes()) {
      each.core().close(code, text);
      each.turn();
    }
    finish();
  }

  @Override
  public String toString() {
    return node + (dialer ? ">" : "<") + peer;
  }
}

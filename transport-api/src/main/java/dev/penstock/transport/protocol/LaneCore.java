package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.WireLimits;
import java.util.function.Consumer;

/**
 * The life of a lane: connections come and go, both sides restate, records flow, and in the end it
 * is dead. What {@link Lane} documents for the shell is done here; flows and the other parts of the
 * lane find here what they share.
 */
final class LaneCore {
  private static final String DRAINED = "the session has drained";

  final LaneConfig config;
  final LanePort port;

  private final LaneStats stats = new LaneStats();
  private final Outbox outbox = new Outbox();
  private final Channels channels;
  private final LaneLife life;
  private final Restating restating = new Restating();

  private Lane.State state = Lane.State.BROKEN;
  private boolean draining;
  private boolean peerDraining;
  private int maxPayload;

  LaneCore(LaneConfig config, LanePort port, long now) {
    this.config = config;
    this.port = port;
    this.channels = new Channels(this, now);
    this.life = new LaneLife(this, now);
    this.maxPayload = config.maxPayload();
  }

  // --- The shell's events

  void connected(int maxFrameLength, int peerChannelLimit, long peerHeartbeat, long now) {
    disconnected(now);
    if (state == Lane.State.DEAD) {
      return;
    }
    if (!life.everUp()) {
      channels.forgetPeers();
    }
    state = Lane.State.RESTATING;
    maxPayload = Math.min(config.maxPayload(), maxFrameLength - WireLimits.MAX_HEADER_BYTES);
    channels.limitOwn(peerChannelLimit);
    Flow[] sorted = channels.sorted();
    for (Flow flow : sorted) {
      flow.restated = false;
    }
    restating.begin(sorted);
    life.connected(peerHeartbeat, now);
  }

  void connectFailed(ErrorCode code, String text, boolean hopeless, long now) {
    if (state == Lane.State.DEAD) {
      return;
    }
    if (hopeless) {
      die(code, text);
    } else {
      life.connectFailed(code, text, now);
    }
  }

  void disconnected(long now) {
    if (state != Lane.State.RESTATING && state != Lane.State.UP) {
      return;
    }
    state = Lane.State.BROKEN;
    restating.abandon();
    outbox.clear();
    for (Flow flow : channels.sorted()) {
      if (flow instanceof SendFlow send) {
        send.onLaneBroken();
      }
    }
    if ((draining || peerDraining) && channels.size() == 0) {
      die(ErrorCode.SHUTTING_DOWN, DRAINED);
    } else {
      life.disconnected(now);
    }
  }

  void timeout(long now) {
    if (state == Lane.State.DEAD) {
      return;
    }
    channels.timeout(now);
    life.timeout(now);
  }

  // --- The shell's commands

  SendFlow openSend(ChannelKey key, Binding.Send binding, long openDeadline) {
    return opens() ? opened(channels.openSend(key, binding), openDeadline) : null;
  }

  ReceiveFlow openReceive(ChannelKey key, Binding.Receive binding, long openDeadline) {
    return opens() ? opened(channels.openReceive(key, binding), openDeadline) : null;
  }

  private boolean opens() {
    return state != Lane.State.DEAD && !draining && !peerDraining && channels.mayOpen();
  }

  private <F extends Flow> F opened(F flow, long openDeadline) {
    channels.deadline(flow, openDeadline);
    if (state == Lane.State.UP) {
      flow.onLaneUp();
    }
    flow.owe(Flow.DUE_OPEN);
    if (channels.numbers().exhausted()) {
      drain(ErrorCode.SHUTTING_DOWN, "channel numbers are used up, a new session takes over");
      port.peerDraining();
    }
    return flow;
  }

  boolean answer(int number, Binding binding, Consumer<Flow> onFlow) {
    WaitingFlow flow = channels.waiting(number);
    if (flow == null) {
      return false;
    }
    channels.peers().answer(flow, binding, onFlow);
    return true;
  }

  void refuse(int number, ErrorCode code, String text) {
    WaitingFlow flow = channels.waiting(number);
    if (flow != null) {
      flow.refuse(code, text);
    }
  }

  void drain(ErrorCode code, String text) {
    if (state != Lane.State.DEAD && !draining) {
      draining = true;
      outbox.goAway(code, text);
      channels.refuseWaiting(ErrorCode.SHUTTING_DOWN, text);
      dieIfDrained();
    }
  }

  void close(ErrorCode code, String text) {
    if (state != Lane.State.DEAD) {
      draining = false;
      boolean connected = state != Lane.State.BROKEN;
      die(code, text);
      if (connected) {
        outbox.goAway(code, text);
        port.disconnect(true, code, text);
      }
    }
  }

  // --- Output

  boolean hasOutput() {
    return switch (state) {
      case RESTATING -> outbox.hasControl() || restating.hasOutput();
      case UP -> outbox.hasOutput();
      case DEAD -> outbox.goAwayDue();
      case BROKEN -> false;
    };
  }

  void write(FrameSink out, long now) {
    if (!out.hasRoom() || !hasOutput()) {
      return;
    }
    outbox.writeGoAway(out, draining);
    if (state == Lane.State.DEAD) {
      return;
    }
    outbox.writeHeartbeat(out);
    if (state == Lane.State.RESTATING) {
      restating.write(out, draining);
      upIfRestated(now);
    }
    if (state == Lane.State.UP) {
      outbox.writeChannels(out, config.quantum(), maxPayload);
    }
    life.wrote(now);
    dieIfDrained();
  }

  /** See {@link LaneLife#unconnected}. */
  String unconnected() {
    return life.unconnected();
  }

  long deadline() {
    long ofFlows = channels.earliestDeadline();
    long ofLife = state == Lane.State.DEAD ? Lane.NEVER : life.deadline();
    if (ofFlows == Lane.NEVER || ofLife == Lane.NEVER) {
      return ofFlows == Lane.NEVER ? ofLife : ofFlows;
    }
    return ofFlows - ofLife < 0 ? ofFlows : ofLife;
  }

  // --- For the flows and the other parts of the lane

  void dirty(Flow flow) {
    outbox.dirty(flow);
  }

  void ready(SendFlow flow) {
    if (state == Lane.State.UP && !flow.ready && (flow.sendable() || flow.settle())) {
      outbox.ready(flow);
    }
  }

  void deadline(Flow flow, long deadline) {
    channels.deadline(flow, deadline);
  }

  void notLive(Flow flow) {
    channels.notLive(flow);
  }

  /**
   * A flow is over: it is forgotten at once; a terminal of the peer that comes again is answered by
   * number.
   */
  void done(Flow flow) {
    channels.remove(flow);
    if (!(flow instanceof WaitingFlow)) {
      port.forgotten(flow);
    }
    dieIfDrained();
  }

  void stoppedWaiting(WaitingFlow flow) {
    if (channels.peers().stopWaiting(flow)) {
      port.stoppedWaiting(flow.number, flow.role(), flow.key);
    }
  }

  void progress() {
    life.progress();
  }

  void requestPing() {
    outbox.ping();
  }

  /** The peer broke a rule: the session ends. */
  void violate(ErrorCode code, String text) {
    close(code, text);
  }

  void breakConnection(ErrorCode code, String text, long now) {
    port.disconnect(false, code, text);
    disconnected(now);
  }

  /** Fails every channel and ends the lane. */
  void die(ErrorCode code, String text) {
    if (state == Lane.State.DEAD) {
      return;
    }
    state = Lane.State.DEAD;
    restating.abandon();
    for (Flow flow : channels.sorted()) {
      flow.onLaneDead(code, text);
    }
    outbox.clear();
    port.dead(code, text);
  }

  private void dieIfDrained() {
    boolean drained = draining && channels.size() == 0 && state != Lane.State.DEAD;
    if (drained && (state == Lane.State.BROKEN || !hasOutput())) {
      boolean connected = state != Lane.State.BROKEN;
      die(ErrorCode.SHUTTING_DOWN, DRAINED);
      if (connected) {
        port.disconnect(true, ErrorCode.SHUTTING_DOWN, DRAINED);
      }
    }
  }

  // --- For the peer's frames

  Channels channels() {
    return channels;
  }

  boolean isConnected() {
    return state == Lane.State.RESTATING || state == Lane.State.UP;
  }

  boolean isUp() {
    return state == Lane.State.UP;
  }

  boolean peerIsReady() {
    return restating.peerIsReady();
  }

  boolean draining() {
    return draining;
  }

  /** A terminal came for a channel that is over, or never was. */
  void answerClosed(int number) {
    boolean flood = peerIsReady() && channels.peers().floodsTerminals(life.heard());
    if (flood || !outbox.answerClosed(number)) {
      violate(ErrorCode.PROTOCOL_VIOLATION, "terminals of channels that are over, again and again");
    }
  }

  void peerRestated() {
    restating.peerRestated();
  }

  /** The peer opened a channel, or restates one that this side does not know yet. */
  void peerOpens(WaitingFlow flow) {
    if (!peerIsReady()) {
      peerRestated();
    }
    if (channels.peers().tooMany()) {
      violate(
          ErrorCode.PROTOCOL_VIOLATION,
          "channels opened without end, " + config.maxChannels() + " at once were agreed");
    } else if (state == Lane.State.UP) {
      channels.peers().admit(flow, life.heard());
    }
  }

  void peerReady(int liveChannels, boolean isDraining) {
    if (peerIsReady() || !restating.peerReady(liveChannels)) {
      violate(
          ErrorCode.PROTOCOL_VIOLATION,
          "READY with "
              + liveChannels
              + " channels, not as many as were restated, or a second one");
      return;
    }
    channels.failUnrestated();
    if (isDraining) {
      peerDrains();
    }
    upIfRestated(life.heard());
  }

  private void upIfRestated(long now) {
    if (state != Lane.State.RESTATING || !restating.complete()) {
      return;
    }
    state = Lane.State.UP;
    if (life.up()) {
      stats.resumes++;
      // Its answer is the only progress that a lane with nothing to carry can make, and the next
      // break may come before a heartbeat.
      requestPing();
    }
    port.up();
    for (Flow flow : channels.inTurn()) {
      flow.onLaneUp();
      if (flow instanceof WaitingFlow waits && !waits.admitted) {
        channels.peers().admit(waits, now);
      }
    }
    dieIfDrained();
  }

  private void peerDrains() {
    if (!peerDraining) {
      peerDraining = true;
      port.peerDraining();
    }
  }

  void peerPings(long value) {
    if (isConnected()) {
      outbox.pong(value);
    }
  }

  /** A PONG is progress where nothing waits to be sent. */
  void peerPongs() {
    if (!channels.anyUnacknowledged()) {
      progress();
    }
  }

  void peerGoesAway(ErrorCode code, String text, boolean onlyDrains) {
    if (onlyDrains) {
      peerDrains();
    } else {
      die(code, "the peer ended the session: " + text);
      port.disconnect(false, code, text);
    }
  }

  // --- Queries

  Lane.State state() {
    return state;
  }

  LaneLife life() {
    return life;
  }

  LaneStats stats() {
    return stats;
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Role;
import java.util.function.Consumer;

/**
 * The channels that the peer opens on a lane: how many and how fast, which gate gets them, and
 * which wait for one.
 */
final class PeerChannels {
  /** Beyond twice the channels agreed, terminals that the peer does not confirm are no accident. */
  private static final int SPARE = 1024;

  private final LaneCore lane;
  private final Channels channels;
  private final RateCap opens;
  private final RateCap strayTerminals;
  private int live;
  private int waiting;
  private int all;

  PeerChannels(LaneCore lane, Channels channels, long now) {
    this.lane = lane;
    this.channels = channels;
    long perSecond = 2L * lane.config.maxChannels();
    this.opens = new RateCap(perSecond, now);
    this.strayTerminals = new RateCap(perSecond, now);
  }

  /** The peer opened a channel, or restated one that this side does not know yet. */
  WaitingFlow opened(int number, Role role, ChannelKey key) {
    channels.numbers().used(number);
    WaitingFlow flow = new WaitingFlow(lane, number, key, role);
    flow.restated = true;
    all++;
    live++;
    channels.add(flow);
    return flow;
  }

  /** Whether the peer has more channels, live or not confirmed, than any fault explains. */
  boolean tooMany() {
    return all > 2L * lane.config.maxChannels() + SPARE;
  }

  /** Whether a terminal for a channel that is over is one too many. */
  boolean floodsTerminals(long now) {
    return !strayTerminals.take(now);
  }

  /**
   * Asks for a gate. Only when the lane is up: what a gate is given is not taken away again because
   * the session never came to be.
   */
  void admit(WaitingFlow flow, long now) {
    flow.admitted = true;
    Admission admission = admission(flow, now);
    if (admission instanceof Admission.Accept accept) {
      answer(flow, accept.binding(), accept.onFlow());
    } else if (admission instanceof Admission.Refuse refusal) {
      flow.refuse(refusal.code(), refusal.text());
    } else if (waiting >= lane.config.maxWaiting()) {
      lane.port.stoppedWaiting(flow.number, flow.role(), flow.key);
      flow.refuse(
          ErrorCode.RESOURCE_EXHAUSTED,
          "more than "
              + lane.config.maxWaiting()
              + " channels wait for their gates (option maxWaitingChannels)");
    } else {
      flow.waits = true;
      waiting++;
      channels.deadline(flow, now + lane.config.openTimeout());
    }
  }

  private Admission admission(WaitingFlow flow, long now) {
    if (lane.draining()) {
      return new Admission.Refuse(ErrorCode.SHUTTING_DOWN, "the node is closing");
    }
    if (live > lane.config.maxChannels()) {
      return new Admission.Refuse(
          ErrorCode.RESOURCE_EXHAUSTED,
          "more than " + lane.config.maxChannels() + " channels on a lane (option maxChannels)");
    }
    if (!opens.take(now)) {
      return new Admission.Refuse(
          ErrorCode.RESOURCE_EXHAUSTED,
          "more than " + 2L * lane.config.maxChannels() + " channels opened per second");
    }
    return lane.port.admit(flow.number, flow.role(), flow.key);
  }

  /** Puts the flow with a gate in the place of the one without. */
  void answer(WaitingFlow waitingFlow, Binding binding, Consumer<Flow> onFlow) {
    stopWaiting(waitingFlow);
    Flow flow = waitingFlow.answer(binding);
    flow.restated = waitingFlow.restated;
    channels.add(flow);
    onFlow.accept(flow);
    if (lane.isUp()) {
      flow.onLaneUp();
    }
    flow.owe(Flow.DUE_OPEN);
    waitingFlow.handOver(flow);
  }

  /** A waiting channel was answered, refused or given up; returns whether it waited. */
  boolean stopWaiting(WaitingFlow flow) {
    boolean waited = flow.waits;
    if (waited) {
      flow.waits = false;
      waiting--;
      channels.deadline(flow, Lane.NEVER);
    }
    return waited;
  }

  /** A channel only waits for a confirmation now, or is over. */
  void notLive() {
    live--;
  }

  void done() {
    all--;
  }
}

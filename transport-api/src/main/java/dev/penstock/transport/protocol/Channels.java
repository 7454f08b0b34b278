package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A lane's channels: those that this side opened, those that the peer opened, their numbers and
 * their deadlines.
 */
final class Channels {
  private final LaneCore lane;
  private final FlowTable flows = new FlowTable();
  private final DeadlineHeap deadlines = new DeadlineHeap();
  private final ChannelNumbers numbers;
  private final PeerChannels peers;
  private int own;
  private int ownMost = Integer.MAX_VALUE;

  Channels(LaneCore lane, long now) {
    this.lane = lane;
    this.numbers = new ChannelNumbers(lane.config.dialer());
    this.peers = new PeerChannels(lane, this, now);
  }

  int size() {
    return flows.size();
  }

  Flow get(int number) {
    return flows.get(number);
  }

  boolean isLive(Flow flow) {
    return flows.get(flow.number) == flow;
  }

  /** By ascending number; a copy. */
  Flow[] sorted() {
    return flows.sorted();
  }

  /**
   * The order of turns after a break: who has waited longest to get something across comes first,
   * or connections that break fast would always serve the same ones. A copy.
   */
  Flow[] inTurn() {
    Flow[] order = flows.sorted();
    Arrays.sort(
        order,
        Comparator.comparingLong(flow -> flow instanceof SendFlow send ? send.movedAt() : 0));
    return order;
  }

  ChannelNumbers numbers() {
    return numbers;
  }

  PeerChannels peers() {
    return peers;
  }

  // --- Opening

  /** How many channels the peer lets this side have. */
  void limitOwn(int most) {
    ownMost = most;
  }

  boolean mayOpen() {
    return own < ownMost;
  }

  SendFlow openSend(ChannelKey key, Binding.Send binding) {
    return opened(new SendFlow(lane, numbers.take(), key, true, binding));
  }

  ReceiveFlow openReceive(ChannelKey key, Binding.Receive binding) {
    return opened(new ReceiveFlow(lane, numbers.take(), key, true, binding));
  }

  private <F extends Flow> F opened(F flow) {
    own++;
    add(flow);
    return flow;
  }

  /** Adds a flow, or puts it in the place of the one with its number. */
  void add(Flow flow) {
    flows.put(flow);
  }

  /** The channel with a number if it waits for a gate, else null. */
  WaitingFlow waiting(int number) {
    return flows.get(number) instanceof WaitingFlow flow && flow.waits ? flow : null;
  }

  void refuseWaiting(ErrorCode code, String text) {
    for (Flow flow : flows.sorted()) {
      if (flow instanceof WaitingFlow waits) {
        waits.refuse(code, text);
      }
    }
  }

  // --- Ending

  /** A flow only waits for the confirmation of its terminal. */
  void notLive(Flow flow) {
    if (!flow.opener) {
      peers.notLive();
    }
  }

  void remove(Flow flow) {
    flows.remove(flow.number);
    if (flow.opener) {
      own--;
    } else {
      peers.done();
    }
  }

  /** Nothing that the peer opened has a gate, and the peer begins anew. */
  void forgetPeers() {
    for (Flow flow : flows.sorted()) {
      if (!flow.opener) {
        flow.onForgotten();
      }
    }
    numbers.forgetPeers();
  }

  /** The peer has said all it knows: what it did not name it no longer has. */
  void failUnrestated() {
    for (Flow flow : flows.sorted()) {
      if (flow.expectsRestating() && !flow.restated) {
        flow.onForgotten();
      }
    }
  }

  /** Whether records wait to be sent or acknowledged. */
  boolean anyUnacknowledged() {
    for (Flow flow : flows.sorted()) {
      if (flow instanceof SendFlow send && send.hasUnacknowledged()) {
        return true;
      }
    }
    return false;
  }

  // --- Time

  void deadline(Flow flow, long deadline) {
    deadlines.set(flow, deadline);
  }

  long earliestDeadline() {
    return deadlines.earliest();
  }

  void timeout(long now) {
    while (deadlines.earliest() != Lane.NEVER && deadlines.earliest() - now <= 0) {
      Flow flow = deadlines.first();
      deadlines.set(flow, Lane.NEVER);
      flow.onDeadline();
    }
  }
}

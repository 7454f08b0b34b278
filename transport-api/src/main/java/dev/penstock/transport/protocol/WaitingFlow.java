package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;

/**
 * A channel that the peer opened and that no gate has answered: it waits for one until its
 * deadline, or was refused and waits for the confirmation of its RESET.
 */
final class WaitingFlow extends Flow {
  private final Role role;
  private boolean refused;

  /** Whether a gate has been asked for. */
  boolean admitted;

  /** Whether it waits for one. */
  boolean waits;

  /** The opener's half of the state, as last said. */
  private long position;

  private long sequence;
  private long backlog;
  private long consumed;
  private long limit;
  private int floor;

  WaitingFlow(LaneCore lane, int number, ChannelKey key, Role role) {
    super(lane, number, key, false);
    this.role = role;
  }

  @Override
  Role role() {
    return role;
  }

  @Override
  boolean terminal() {
    return refused;
  }

  @Override
  boolean expectsRestating() {
    return !refused;
  }

  /** The gate came: makes the flow that takes this one's place. */
  Flow answer(Binding binding) {
    return binding instanceof Binding.Send send
        ? new SendFlow(lane, number, key, false, send)
        : new ReceiveFlow(lane, number, key, false, (Binding.Receive) binding);
  }

  /** Tells the answering flow what the opener said. */
  void handOver(Flow flow) {
    flow.onPeerState(position, sequence, backlog, consumed, limit, floor);
  }

  void refuse(ErrorCode code, String text) {
    if (!refused) {
      refused = true;
      resetCode = code;
      resetText = text;
      lane.stoppedWaiting(this);
      notLive();
      owe(DUE_TERMINAL);
    }
  }

  @Override
  void onPeerState(
      long newPosition,
      long newSequence,
      long newBacklog,
      long newConsumed,
      long newLimit,
      int newFloor) {
    position = newPosition;
    sequence = newSequence;
    backlog = newBacklog;
    consumed = newConsumed;
    limit = newLimit;
    floor = newFloor;
  }

  @Override
  void onReset(ErrorCode code, String text) {
    owe(DUE_CLOSED);
    forget();
  }

  @Override
  void onClosed() {
    if (refused) {
      forget();
    }
  }

  @Override
  void onDeadline() {
    refuse(
        ErrorCode.UNKNOWN_CHANNEL,
        "no gate registered channel " + key + " before the deadline (option openTimeout)");
  }

  @Override
  void onForgotten() {
    forget();
  }

  @Override
  void onLaneDead(ErrorCode code, String text) {
    forget();
  }

  private void forget() {
    due &= DUE_CLOSED;
    refused = true;
    lane.stoppedWaiting(this);
    notLive();
    lane.done(this);
  }

  @Override
  void onLaneUp() {}

  @Override
  void writeOpen(Frames out) {
    throw new IllegalStateException("channel " + key + " was not answered");
  }

  @Override
  void writeDue(Frames out) {
    int bits = due;
    due = 0;
    if ((bits & DUE_TERMINAL) != 0) {
      writeReset(out);
    }
    if ((bits & DUE_CLOSED) != 0) {
      out.closed(number);
    }
  }
}

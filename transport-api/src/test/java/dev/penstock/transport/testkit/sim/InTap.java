package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Role;

/** Sees what a lane hears, and which row of the state tables it takes by it. */
final class InTap extends ForwardingFrames {
  private final World world;
  private final Wire wire;
  private final SimLane lane;

  InTap(World world, Wire wire, SimLane lane) {
    super(lane.core().inbound());
    this.world = world;
    this.wire = wire;
    this.lane = lane;
  }

  private Seen before(int kind, long channel) {
    world.trace().mix(kind * 31L + channel);
    world.trace().line(world.agenda().now(), () -> wire + " hears " + kind + " of " + channel);
    Seen seen = lane.seen((int) channel);
    if (seen == Seen.NOTHING && kind >= 7 && kind <= 13) {
      world.covers(Rule.R2_LATE_FRAME_DROPPED);
    }
    return seen;
  }

  private boolean isTerminal(Seen seen) {
    return seen == Seen.RECEIVE_FINISHED || seen == Seen.RECEIVE_RESETTING || seen == Seen.REFUSED;
  }

  private void dropped(Seen seen) {
    if (isTerminal(seen)) {
      world.covers(Row.RECEIVE_TERMINAL_DROPS);
    }
  }

  @Override
  public void open(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    dropped(before(4, channel));
    if (lane.isRestating()) {
      world.covers(Row.LANE_RESTATED_OPEN);
    }
    super.open(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
  }

  @Override
  public void opened(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    Seen before = before(5, channel);
    if (lane.isRestating()) {
      world.covers(Row.LANE_RESTATED_OPENED);
    }
    super.opened(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
    Seen after = lane.seen(channel);
    if (before == Seen.SEND_OPENING && after != before) {
      world.covers(Row.SEND_OPENED);
    } else if (before == Seen.RECEIVE_OPENING && after == Seen.RECEIVE_OPEN) {
      world.covers(Row.RECEIVE_OPENED);
    }
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    before(6, liveChannels);
    world.covers(Row.LANE_READY);
    super.ready(liveChannels, draining);
  }

  @Override
  public void data(
      int channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int uncompressedLength,
      long backlog,
      int payloadLength,
      int payloadCrc) {
    Seen before = before(7, channel);
    dropped(before);
    super.data(
        channel,
        position,
        sequence,
        messages,
        flags,
        uncompressedLength,
        backlog,
        payloadLength,
        payloadCrc);
    if (before == Seen.RECEIVE_OPEN) {
      boolean refused = lane.seen(channel) == Seen.RECEIVE_RESETTING;
      world.covers(refused ? Row.RECEIVE_DATA_REFUSED : Row.RECEIVE_DATA);
      if (refused) {
        world.covers(Rule.R3_GAP_REFUSED);
      }
    }
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    dropped(before(8, channel));
    super.demand(channel, position, backlog);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    Seen before = before(9, channel);
    super.credit(channel, received, consumed, limit);
    if (before == Seen.SEND_OPEN || before == Seen.SEND_FINISHING) {
      world.covers(Row.SEND_CREDIT);
    }
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    Seen before = before(10, channel);
    dropped(before);
    super.finish(channel, position, sequence);
    if (before == Seen.RECEIVE_OPEN) {
      world.covers(Row.RECEIVE_FINISH);
    }
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    Seen before = before(11, channel);
    confirmedAgain(before);
    restatedTerminal();
    super.finishAck(channel, position, sequence);
    if (before == Seen.SEND_FINISHING) {
      world.covers(Row.SEND_FINISH_ACK);
    } else if (before == Seen.SEND_ABORTING) {
      world.covers(Row.SEND_ABORTING_FINISH_ACK);
      world.covers(Rule.R10_FINISHED_ALTHOUGH_ABORTED);
    }
  }

  private void confirmedAgain(Seen before) {
    if (before == Seen.NOTHING) {
      world.covers(Rule.R2_CLOSED_NUMBER_CONFIRMED);
    }
  }

  private void restatedTerminal() {
    if (lane.isRestating()) {
      world.covers(Row.LANE_RESTATED_TERMINAL);
    }
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    Seen before = before(12, channel);
    confirmedAgain(before);
    restatedTerminal();
    super.reset(channel, code, text);
    switch (before) {
      case SEND_OPENING, SEND_OPEN, SEND_FINISHING ->
          world.covers(code == ErrorCode.STOPPED ? Row.SEND_STOPPED : Row.SEND_RESET);
      case SEND_ABORTING -> world.covers(Row.SEND_ABORTING_RESET);
      case WAITING -> world.covers(Row.RECEIVE_WAITING_RESET);
      case RECEIVE_OPENING, RECEIVE_OPEN -> world.covers(Row.RECEIVE_RESET);
      case RECEIVE_FINISHED, RECEIVE_RESETTING, REFUSED -> world.covers(Row.RECEIVE_TERMINAL_RESET);
      default -> {}
    }
    if (code == ErrorCode.STOPPED && before == Seen.SEND_FINISHING) {
      world.covers(Rule.R12_STOPPED_IS_DONE);
    }
  }

  @Override
  public void closed(int channel) {
    Seen before = before(13, channel);
    super.closed(channel);
    if (before == Seen.SEND_ABORTING) {
      world.covers(Row.SEND_ABORTING_CLOSED);
    } else if (isTerminal(before)) {
      world.covers(Row.RECEIVE_TERMINAL_CLOSED);
    }
  }

  @Override
  public void ping(long value) {
    before(14, 0);
    super.ping(value);
  }

  @Override
  public void pong(long value) {
    before(15, 0);
    lane.pong();
    super.pong(value);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    before(16, code.number());
    world.covers(draining ? Row.LANE_DRAINING : Row.LANE_FATAL_GOAWAY);
    super.goAway(code, text, draining);
  }
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;

/** What a lying node hears: more credit than it was given, so that it sends too much. */
final class Gullible extends ForwardingFrames {
  private final long extra;

  Gullible(World world, Frames core) {
    super(core);
    this.extra = world.chance().oneIn(3) ? world.chance().between(1, 200_000) : 0;
  }

  private long inflated(long limit) {
    return limit == 0 ? 0 : limit + extra;
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
    super.open(
        channel,
        role,
        exchange,
        producer,
        consumer,
        attempt,
        position,
        sequence,
        backlog,
        consumed,
        inflated(limit),
        floor);
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
    super.opened(
        channel,
        role,
        exchange,
        producer,
        consumer,
        attempt,
        position,
        sequence,
        backlog,
        consumed,
        inflated(limit),
        floor);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    super.credit(channel, received, consumed, inflated(limit));
  }
}

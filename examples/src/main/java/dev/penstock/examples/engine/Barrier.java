package dev.penstock.examples.engine;

import java.nio.ByteBuffer;

/**
 * The event at the end of an epoch: the epoch's number, and how many messages the source wrote in
 * it for each sink, so that the sinks can check.
 */
final class Barrier {
  private Barrier() {}

  static ByteBuffer encode(long epoch, long[] counts) {
    ByteBuffer event = ByteBuffer.allocate(Long.BYTES * (1 + counts.length));
    event.putLong(epoch);
    for (long count : counts) {
      event.putLong(count);
    }
    return event.flip();
  }

  static long epoch(ByteBuffer event) {
    return event.getLong(event.position());
  }

  static long count(ByteBuffer event, int sink) {
    return event.getLong(event.position() + Long.BYTES * (1 + sink));
  }
}

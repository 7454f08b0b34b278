package dev.penstock.benchmarks;

import java.nio.ByteBuffer;

/**
 * Reads length-prefixed records out of a stream of bytes that arrives in arbitrary pieces: length
 * and first eight bytes of each record are read, the rest is skipped.
 */
public final class RecordParser {
  private static final int HEADER = Workload.LENGTH_PREFIX + Long.BYTES;

  private final RecordSink sink;
  private final ByteBuffer carry = ByteBuffer.allocate(HEADER);
  private int skip;

  public RecordParser(RecordSink sink) {
    this.sink = sink;
  }

  /** Takes all bytes between position and limit; a record cut off at the end is remembered. */
  public void parse(ByteBuffer in) {
    int position = in.position();
    int limit = in.limit();
    if (skip > 0 || carry.position() > 0) {
      position = resume(in);
    }
    while (limit - position >= HEADER) {
      int length = in.getInt(position);
      sink.accept(length, in.getLong(position + Workload.LENGTH_PREFIX));
      position += Workload.LENGTH_PREFIX + length;
    }
    if (position > limit) {
      skip = position - limit;
    } else {
      in.position(position);
      carry.put(in);
    }
    in.position(limit);
  }

  /** Whether the bytes so far end at the end of a record. */
  public boolean atBoundary() {
    return skip == 0 && carry.position() == 0;
  }

  private int resume(ByteBuffer in) {
    int skipped = Math.min(skip, in.remaining());
    skip -= skipped;
    in.position(in.position() + skipped);
    if (carry.position() == 0) {
      return in.position();
    }
    while (carry.hasRemaining() && in.hasRemaining()) {
      carry.put(in.get());
    }
    if (carry.hasRemaining()) {
      return in.position();
    }
    int length = carry.getInt(0);
    sink.accept(length, carry.getLong(Workload.LENGTH_PREFIX));
    carry.clear();
    // May lie beyond the limit: the caller turns the difference into bytes to skip.
    return in.position() + length - Long.BYTES;
  }
}

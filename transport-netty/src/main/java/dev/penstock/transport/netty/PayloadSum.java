package dev.penstock.transport.netty;

import dev.penstock.transport.wire.Crc32cCombine;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The CRC32C of any range of a log: from the writer's segments where the range covers them, from
 * the bytes elsewhere. Loop only.
 */
final class PayloadSum {
  private final CRC32C sum = new CRC32C();
  private long summed;

  // Of one call: the combined sum so far, how long a range the running sum stands for, and whether
  // anything is in crc.
  private int crc;
  private int running;
  private boolean empty;

  /** Bytes that had to be summed here. */
  long summed() {
    return summed;
  }

  /**
   * Sums a range.
   *
   * @param chunk where it starts
   * @param from position of the first byte
   * @param to position behind the last, committed
   */
  int of(Chunk chunk, long from, long to) {
    sum.reset();
    running = 0;
    empty = true;
    Chunk current = chunk;
    long position = from;
    while (position < to) {
      Chunk next = current.next();
      long end = next == null ? to : Math.min(to, current.end());
      within(current, (int) (position - current.start), (int) (end - current.start));
      position = end;
      current = next;
    }
    fold();
    return crc;
  }

  private void within(Chunk chunk, int from, int to) {
    int offset = from;
    int count = to - from < SegmentWriter.MIN_BYTES ? 0 : chunk.segments();
    for (int i = 0; i < count; i++) {
      int start = chunk.segmentStart(i);
      int end = chunk.segmentEnd(i);
      if (start >= offset && end <= to) {
        addBytes(chunk, offset, start);
        addSegment(chunk.segmentCrc(i), end - start);
        offset = end;
      }
    }
    addBytes(chunk, offset, to);
  }

  private void addBytes(Chunk chunk, int from, int to) {
    if (from < to) {
      ByteBuffer bytes = chunk.readView();
      sum.update(bytes.limit(to).position(from));
      bytes.clear();
      running += to - from;
      summed += to - from;
    }
  }

  private void addSegment(int segmentCrc, int length) {
    fold();
    crc = empty ? segmentCrc : Crc32cCombine.combine(crc, segmentCrc, length);
    empty = false;
  }

  private void fold() {
    if (running > 0 || empty) {
      int value = (int) sum.getValue();
      crc = empty ? value : Crc32cCombine.combine(crc, value, running);
      empty = running == 0;
      running = 0;
      sum.reset();
    }
  }
}

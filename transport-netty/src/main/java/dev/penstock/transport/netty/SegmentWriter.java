package dev.penstock.transport.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The writer's side of the segments: sums what it appends while it is hot in its cache and leaves
 * the sums in the chunk. Where the loop has already taken a part of what is not yet summed, the
 * next segment starts behind that part, so under a steady load each byte is summed once, by one of
 * the two.
 *
 * <p>Used by the writer; {@link #taken} and {@link #payloadCrcOff} are called by the loop.
 */
final class SegmentWriter {
  /** Summing less than this again costs no more than combining a sum. */
  static final int MIN_BYTES = 4096;

  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(SegmentWriter.class, "taken", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int segmentBytes;
  private final CRC32C sum = new CRC32C();
  private volatile boolean payloadCrc;

  /** Offset in the current chunk. */
  private int start;

  @SuppressWarnings("unused") // through TAKEN
  private long taken;

  SegmentWriter(LogSettings settings, long position) {
    segmentBytes = settings.segmentBytes();
    payloadCrc = settings.payloadCrc();
    taken = position;
  }

  /** Loop: everything before {@code position}, the end of a record, was taken without a segment. */
  void taken(long position) {
    TAKEN.setOpaque(this, position);
  }

  boolean payloadCrc() {
    return payloadCrc;
  }

  void payloadCrcOff() {
    payloadCrc = false;
  }

  /** A new chunk was started. */
  void restart() {
    start = 0;
  }

  /**
   * Whether the segment is to be closed before, or after, a record of some length that ends at an
   * offset.
   */
  boolean full(int end) {
    return end - start > segmentBytes;
  }

  /**
   * Closes the segment.
   *
   * @param chunk where it lies
   * @param end offset behind its last record
   * @param messages records from the chunk's start to there
   * @param following bytes that will be appended next; the segment stays open if they fit after all
   */
  void close(Chunk chunk, int end, int messages, int following) {
    int from = start;
    long skipped = (long) TAKEN.getOpaque(this) - chunk.start;
    if (skipped > from && skipped <= end) {
      from = (int) skipped;
      if (end - from + (long) following <= segmentBytes) {
        start = from;
        return;
      }
    }
    start = end;
    if (end - from > 2 * segmentBytes) {
      // One record, longer than any frame: it will go in pieces.
      while (end - from > segmentBytes) {
        add(chunk, from, from + segmentBytes, Chunk.INSIDE_RECORD);
        from += segmentBytes;
      }
    }
    add(chunk, from, end, messages);
  }

  private void add(Chunk chunk, int from, int to, int messages) {
    if (to - from >= MIN_BYTES || messages == Chunk.INSIDE_RECORD) {
      chunk.addSegment(from, to, messages, payloadCrc ? sum(chunk, from, to) : 0, segmentBytes);
    }
  }

  private int sum(Chunk chunk, int from, int to) {
    ByteBuffer bytes = chunk.writeView();
    sum.reset();
    sum.update(bytes.limit(to).position(from));
    bytes.clear();
    return (int) sum.getValue();
  }
}

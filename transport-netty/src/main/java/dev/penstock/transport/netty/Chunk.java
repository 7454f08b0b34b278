package dev.penstock.transport.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A piece of an append log: whole records, from one position on. A node of the list that the writer
 * appends to and the loop takes from. A node without memory starts the list and stays while the log
 * is empty.
 *
 * <p>The writer also leaves segments here: ranges that it has summed, as the loop would like to
 * send them. The loop may use a segment once everything in it is committed.
 */
final class Chunk {
  /** In place of a count: the segment ends inside a record. */
  static final int INSIDE_RECORD = -1;

  private static final int SEGMENT_INTS = 4;
  private static final int END = 1;
  private static final int MESSAGES = 2;
  private static final int CRC = 3;

  private static final VarHandle NEXT;
  private static final VarHandle SEGMENT_COUNT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(Chunk.class, "next", Chunk.class);
      SEGMENT_COUNT = lookup.findVarHandle(Chunk.class, "segmentCount", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Position of the first byte. */
  final long start;

  /** Sequence of the first record. */
  final long startSequence;

  private final ByteBuffer writeView;
  private final ByteBuffer bodyView;
  private ChunkBuffer buffer;
  private ByteBuffer readView;
  private int[] segments;

  @SuppressWarnings("unused") // through SEGMENT_COUNT
  private int segmentCount;

  private boolean sealed;
  private long end;
  private long endSequence;

  @SuppressWarnings("unused") // through NEXT
  private Chunk next;

  /** A node without memory. */
  Chunk(long position, long sequence) {
    this(position, sequence, null, null);
    seal(position, sequence);
  }

  /**
   * A chunk.
   *
   * @param position where it starts
   * @param sequence of its first record
   * @param buffer the memory; this takes over one reference
   * @param view all of it, for the writer
   */
  Chunk(long position, long sequence, ChunkBuffer buffer, ByteBuffer view) {
    this.start = position;
    this.startSequence = sequence;
    this.buffer = buffer;
    this.writeView = view;
    this.bodyView = view == null ? null : view.duplicate();
  }

  /** Writer: the memory, little-endian. */
  ByteBuffer writeView() {
    return writeView;
  }

  /** Writer: the memory, big-endian, for records' bodies. */
  ByteBuffer bodyView() {
    return bodyView;
  }

  int capacity() {
    return writeView.capacity();
  }

  /** Who detaches it, or the writer before it links the next: nothing is appended behind this. */
  void seal(long position, long sequence) {
    sealed = true;
    end = position;
    endSequence = sequence;
  }

  /** Loop, while the writer is outside: whether the writer went on to another chunk. */
  boolean sealed() {
    return sealed;
  }

  /** Writer: appends to the list. */
  void link(Chunk chunk) {
    NEXT.setRelease(this, chunk);
  }

  /** The next one; when there is one, this is sealed. */
  Chunk next() {
    return (Chunk) NEXT.getAcquire(this);
  }

  /** Position behind the last byte. Only of a sealed one. */
  long end() {
    return end;
  }

  /** Sequence behind the last record. Only of a sealed one. */
  long endSequence() {
    return endSequence;
  }

  /** Writer: leaves a summed range, if there is place. */
  void addSegment(int from, int to, int messages, int crc, int segmentBytes) {
    if (segments == null) {
      segments = new int[SEGMENT_INTS * (2 * (capacity() / segmentBytes) + 3)];
    }
    int count = (int) SEGMENT_COUNT.get(this);
    int at = count * SEGMENT_INTS;
    if (at == segments.length) {
      return;
    }
    segments[at] = from;
    segments[at + END] = to;
    segments[at + MESSAGES] = messages;
    segments[at + CRC] = crc;
    SEGMENT_COUNT.setRelease(this, count + 1);
  }

  /** Loop: segments so far, ascending, not overlapping, perhaps with gaps. */
  int segments() {
    return (int) SEGMENT_COUNT.getAcquire(this);
  }

  /** Offset of a segment's first byte. */
  int segmentStart(int segment) {
    return segments[segment * SEGMENT_INTS];
  }

  /** Offset behind a segment's last byte. */
  int segmentEnd(int segment) {
    return segments[segment * SEGMENT_INTS + END];
  }

  /** Records from the chunk's start to the segment's end, or {@link #INSIDE_RECORD}. */
  int segmentMessages(int segment) {
    return segments[segment * SEGMENT_INTS + MESSAGES];
  }

  int segmentCrc(int segment) {
    return segments[segment * SEGMENT_INTS + CRC];
  }

  /** Loop: the memory for reading, little-endian; its position and limit may be moved. */
  ByteBuffer readView() {
    if (readView == null) {
      // Not a duplicate of the writer's view: its position and limit are the writer's at any time.
      readView = buffer.nioBuffer(0, capacity()).order(ByteOrder.LITTLE_ENDIAN);
    }
    return readView;
  }

  /** Loop: the memory for writes to a socket. */
  ChunkBuffer buffer() {
    return buffer;
  }

  boolean hasMemory() {
    return buffer != null;
  }

  /** Gives up the log's reference, once. */
  void drop() {
    ChunkBuffer dropped = buffer;
    if (dropped != null) {
      buffer = null;
      readView = null;
      dropped.release();
    }
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.wire.Frames;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One element of a channel's queue: the payload of a DATA frame, several tiny ones behind each
 * other, or the news that the channel is over. Linked, so that an idle channel costs one small
 * object.
 *
 * <p>The lane's thread fills it and publishes it by linking; then it is the consumer's. Only {@link
 * #tryAppend} still writes to a published one.
 */
final class InboundFrame {
  private static final VarHandle NEXT;
  private static final VarHandle LIMIT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(InboundFrame.class, "next", InboundFrame.class);
      LIMIT = lookup.findVarHandle(InboundFrame.class, "limit", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Set in the limit by the consumer when it has read everything: nothing can be appended any more.
   */
  private static final int SEALED = 1 << 31;

  /** Set in the limit by the lane while it appends: the memory must stay. */
  private static final int APPENDING = 1 << 30;

  /** Where the payload lies; null for what is not data. */
  FrameMemory memory;

  /** Index of the payload's first byte in the memory. */
  int offset;

  /** Position of the payload's first byte in the channel. */
  final long position;

  /** Sequence of the first message that starts in, or is continued by, the payload. */
  final long sequence;

  /** Messages that end in the payload; unknown, and already checked, when {@link #verified}. */
  final int messages;

  /** Flags of the DATA frame. */
  final int flags;

  /** CRC32C of the payload. */
  final int crc;

  /** Whether the lane's thread has checked CRC and records. */
  final boolean verified;

  /** Room behind the payload for more tiny ones; 0 when it lies in a receive buffer. */
  private final int capacity;

  /** Why the channel ended; null for data. */
  final Ending ending;

  @SuppressWarnings("unused") // through LIMIT
  private volatile int limit;

  @SuppressWarnings("unused") // through NEXT
  private volatile InboundFrame next;

  private InboundFrame(
      FrameMemory memory,
      int offset,
      int length,
      int capacity,
      long position,
      long sequence,
      int messages,
      int flags,
      int crc,
      boolean verified,
      Ending ending) {
    this.memory = memory;
    this.offset = offset;
    this.position = position;
    this.sequence = sequence;
    this.messages = messages;
    this.flags = flags;
    this.crc = crc;
    this.verified = verified;
    this.capacity = capacity;
    this.ending = ending;
    LIMIT.set(this, offset + length);
  }

  /** The element that a queue starts with. */
  static InboundFrame stub() {
    return new InboundFrame(null, 0, 0, 0, 0, 0, 0, 0, 0, true, null);
  }

  static InboundFrame ending(Ending ending) {
    return new InboundFrame(null, 0, 0, 0, 0, 0, 0, 0, 0, true, ending);
  }

  /** The payload of one frame. */
  static InboundFrame data(
      FrameMemory memory,
      int offset,
      int length,
      long position,
      long sequence,
      int messages,
      int flags,
      int crc) {
    return new InboundFrame(
        memory, offset, length, 0, position, sequence, messages, flags, crc, false, null);
  }

  /** Whole records at the start of memory that has room for more of them, all checked. */
  static InboundFrame appendable(CopiedMemory memory, int length, long position, long sequence) {
    return new InboundFrame(
        memory, 0, length, memory.capacity(), position, sequence, 0, 0, 0, true, null);
  }

  /** Records of a producer in the same JVM: nothing was on the way that could have damaged them. */
  static InboundFrame local(
      FrameMemory memory,
      int offset,
      int length,
      long position,
      long sequence,
      int messages,
      int flags) {
    return new InboundFrame(
        memory, offset, length, 0, position, sequence, messages, flags, 0, true, null);
  }

  boolean isPiece() {
    return (flags & Frames.PIECE) != 0;
  }

  boolean isLastPiece() {
    return (flags & Frames.LAST_PIECE) != 0;
  }

  /** Index behind the payload's last published byte. Consumer. */
  int limit() {
    return (int) LIMIT.getAcquire(this) & ~(SEALED | APPENDING);
  }

  /**
   * The consumer has read everything up to a limit: closes the frame for appending.
   *
   * @return false if more has come meanwhile, or is just being appended; the lane schedules the
   *     channel after that
   */
  boolean seal(int seen) {
    return capacity == 0 || LIMIT.compareAndSet(this, seen, seen | SEALED);
  }

  /** Whether the consumer was done with it. */
  boolean sealed() {
    return (int) LIMIT.getOpaque(this) < 0;
  }

  /**
   * Puts more checked records behind the payload. Lane's thread, on the last element of the queue.
   *
   * @return false if there is no room, or the consumer is done with the frame
   */
  boolean tryAppend(FramePayload payload, int length) {
    int old = (int) LIMIT.getOpaque(this);
    if (capacity - old < length || old < 0 || !LIMIT.compareAndSet(this, old, old | APPENDING)) {
      return false;
    }
    ((CopiedMemory) memory).copyFrom(payload, length, old);
    LIMIT.setRelease(this, old + length);
    return true;
  }

  /** Room of the memory for records; 0 for a frame that cannot grow. */
  int capacity() {
    return capacity;
  }

  void linkNext(InboundFrame element) {
    NEXT.setRelease(this, element);
  }

  InboundFrame linkedNext() {
    return (InboundFrame) NEXT.getAcquire(this);
  }

  void unlinkNext() {
    // A dead element must not keep its successors alive once it is in the old generation.
    NEXT.setOpaque(this, null);
  }
}

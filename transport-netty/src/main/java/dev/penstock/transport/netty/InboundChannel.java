package dev.penstock.transport.netty;

import dev.penstock.transport.wire.Frames;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One channel on its way from the lane to its consumer: a queue with one writer, the lane's thread,
 * and one reader, the consumer, and the positions that go back. Small, for there may be thousands
 * that do nothing.
 *
 * <p>The reader's side is guarded by a claim, so that the lane can empty the queue of a channel
 * that ended while no consumer is at it. Fields marked "claim" belong to whoever holds it.
 */
final class InboundChannel {
  private static final VarHandle CLAIM;
  private static final VarHandle SCHEDULED;
  private static final VarHandle ATTENTION;
  private static final VarHandle CONSUMED;
  private static final VarHandle TAKEN;
  private static final VarHandle NOTIFY_AT;
  private static final VarHandle FINAL;
  private static final VarHandle FAULT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CLAIM = lookup.findVarHandle(InboundChannel.class, "claim", int.class);
      SCHEDULED = lookup.findVarHandle(InboundChannel.class, "scheduled", boolean.class);
      ATTENTION = lookup.findVarHandle(InboundChannel.class, "attention", boolean.class);
      CONSUMED = lookup.findVarHandle(InboundChannel.class, "consumed", long.class);
      TAKEN = lookup.findVarHandle(InboundChannel.class, "taken", long.class);
      NOTIFY_AT = lookup.findVarHandle(InboundChannel.class, "notifyAt", long.class);
      FINAL = lookup.findVarHandle(InboundChannel.class, "finalPosition", long.class);
      FAULT = lookup.findVarHandle(InboundChannel.class, "fault", InboundFault.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FREE = 0;
  private static final int HELD = 1;

  /** The holder empties the queue when it lets go. */
  private static final int HELD_DROP = 2;

  private static final long NEVER = Long.MAX_VALUE;

  /** Gate memory for the first tiny frame of a channel; doubled while more pile up. */
  private static final int FIRST_COPY_BYTES = 256;

  private static final int MAX_COPY_BYTES = 8 * 1024;

  private final InboundLane lane;
  private final InboundDelivery delivery;
  private boolean checkCrc;
  private final Object attachment;

  /** Lane: the last element. */
  private InboundFrame tail;

  /** Lane: the last payload ended inside a message. */
  private boolean insideMessage;

  /** Lane: {@code consumed} when it was seen to move last, and the lane's bytes then. */
  private long lastConsumed;

  private long progressAt;

  /** Lane: nothing more is queued. */
  private boolean closed;

  /** Claim: the last element taken. */
  private InboundFrame head;

  /** Claim: state of the walk. */
  final RecordPosition walk = new RecordPosition();

  @SuppressWarnings("unused") // these through handles
  private volatile int claim;

  @SuppressWarnings("unused")
  private volatile boolean scheduled;

  @SuppressWarnings("unused")
  private volatile boolean attention;

  @SuppressWarnings("unused")
  private volatile long consumed;

  @SuppressWarnings("unused")
  private volatile long taken;

  @SuppressWarnings("unused")
  private volatile long notifyAt = NEVER;

  @SuppressWarnings("unused")
  private volatile long finalPosition = NEVER;

  private volatile InboundFault fault;

  private volatile boolean drained;

  /** What the consumer is told instead of the ending that is queued. */
  private volatile Ending replacement;

  /**
   * Creates one.
   *
   * @param lane where its frames come from
   * @param delivery where they go
   * @param checkCrc whether payloads carry checksums
   * @param attachment the owner's object
   */
  InboundChannel(InboundLane lane, InboundDelivery delivery, boolean checkCrc, Object attachment) {
    this.lane = lane;
    this.delivery = delivery;
    this.checkCrc = checkCrc;
    this.attachment = attachment;
    this.tail = InboundFrame.stub();
    this.head = tail;
  }

  InboundLane lane() {
    return lane;
  }

  Object attachment() {
    return attachment;
  }

  InboundDelivery delivery() {
    return delivery;
  }

  /** Both sides agreed to do without payload CRCs. Lane's thread, before the first frame. */
  void payloadCrcOff() {
    checkCrc = false;
  }

  boolean checkCrc() {
    return checkCrc;
  }

  // ---- the lane's side

  /**
   * Takes the payload of the DATA frame that is being handled. The frame continues the channel; its
   * memory is pinned or copied. Damage becomes a {@link #fault()}, about which the lane is told
   * later. Lane's thread.
   *
   * @param payload where it lies
   * @param position position of its first byte
   * @param sequence messages that ended before it
   * @param messages messages that end in it
   * @param flags of the DATA frame
   * @param length bytes
   * @param crc CRC32C of the payload
   */
  void accept(
      FramePayload payload,
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      int crc) {
    if (closed || fault != null || length == 0) {
      // An empty payload costs its sender no credit, so it must not cost memory.
      return;
    }
    boolean piece = (flags & Frames.PIECE) != 0;
    insideMessage = piece && (flags & Frames.LAST_PIECE) == 0;
    // The lane's own handler is done with the frame at once: no copy, unless others wait before it.
    boolean tiny = length <= ReceiveMemory.TINY_BYTES && !(delivery.onLoop() && isEmpty());
    boolean stalled = stalled(payload.chunk(), position, length);
    try {
      if (tiny && !piece) {
        acceptTiny(payload, position, sequence, messages, length, crc);
        return;
      }
      FrameMemory memory = payload.chunk();
      int offset = payload.frameEnd() - length;
      if (tiny || stalled || !payload.chunk().pin()) {
        CopiedMemory copy = new CopiedMemory(lane.memory(), delivery.copied(), length);
        copy.copyFrom(payload, length, 0);
        memory = copy;
        offset = 0;
      }
      enqueue(InboundFrame.data(memory, offset, length, position, sequence, messages, flags, crc));
    } catch (OutOfMemoryError e) {
      fail(PayloadCheck.noMemory(length, e));
    }
  }

  /**
   * Takes records of a producer in the same JVM, which lie in its memory: nothing is copied or
   * summed. Lane's thread.
   *
   * @param held held once for this call; the consumer lets go of it
   * @param offset index of the first byte
   * @param length bytes
   * @param position position of the first byte
   * @param sequence messages that ended before it
   * @param messages messages that end in it
   * @param flags as of a DATA frame
   */
  void acceptLocal(
      FrameMemory held,
      int offset,
      int length,
      long position,
      long sequence,
      int messages,
      int flags) {
    if (closed || fault != null || length == 0) {
      held.release();
      return;
    }
    insideMessage = (flags & Frames.PIECE) != 0 && (flags & Frames.LAST_PIECE) == 0;
    enqueue(InboundFrame.local(held, offset, length, position, sequence, messages, flags));
  }

  /**
   * Whether the consumer has given nothing back while the lane received two buffers' worth, and
   * half of the allowance is pinned. Such a channel would come to pin every buffer that the others
   * fill; its frames are copied out.
   */
  private boolean stalled(ReceiveChunk chunk, long position, int length) {
    long now = lane.count(length);
    long given = consumed();
    if (given != lastConsumed || given == position) {
      lastConsumed = given;
      progressAt = now;
    }
    return now - progressAt > 2L * chunk.capacity() && lane.memory().crowded();
  }

  /**
   * Copied bytes are touched anyway: checks them too, and puts them behind those that wait already.
   */
  private void acceptTiny(
      FramePayload payload, long position, long sequence, int messages, int length, int crc) {
    int offset = payload.frameEnd() - length;
    ReceiveChunk chunk = payload.chunk();
    InboundFault found =
        checkCrc
            ? lane.check().crc(chunk.payloadView(), offset, offset + length, crc, position)
            : null;
    if (found == null) {
      found =
          PayloadCheck.records(
              chunk.root(), offset, offset + length, messages, delivery.maxMessage());
    }
    if (found != null) {
      fail(found);
    } else if (tail.tryAppend(payload, length)) {
      scheduleFromLane();
    } else {
      int room = tail.sealed() ? 0 : Math.min(MAX_COPY_BYTES, 2 * tail.capacity());
      room = Math.max(room, Math.max(length, FIRST_COPY_BYTES));
      CopiedMemory copy = new CopiedMemory(lane.memory(), delivery.copied(), room);
      copy.copyFrom(payload, length, 0);
      enqueue(InboundFrame.appendable(copy, length, position, sequence));
    }
  }

  /**
   * The sender said where the channel ends.
   *
   * @param position behind its last byte; everything before it has been accepted
   * @return true if the application has taken all of it; else the lane is told when it has
   */
  boolean finishAt(long position) {
    if (insideMessage) {
      fail(
          PayloadCheck.violation(
              "the channel ended at position " + position + ", inside a message"));
      return false;
    }
    FINAL.setVolatile(this, position);
    VarHandle.fullFence();
    return (long) TAKEN.getAcquire(this) >= position;
  }

  /**
   * Asks to be told when the application has given back everything before a position.
   *
   * @param position {@link Long#MAX_VALUE} for never
   * @return true if it has already; the lane is not told then
   */
  boolean notifyAt(long position) {
    NOTIFY_AT.setVolatile(this, position);
    VarHandle.fullFence();
    return (long) CONSUMED.getAcquire(this) >= position;
  }

  /**
   * The channel is over. The consumer is told when it has been given what is queued, or at once.
   * Lane's thread. A second call only counts when it drops what is still queued: the consumer is
   * then told the second ending.
   *
   * @param ending how
   * @param drop whether what is queued is thrown away
   */
  void end(Ending ending, boolean drop) {
    if (closed) {
      if (drop && !drained) {
        replacement = ending;
        drop();
      }
      return;
    }
    closed = true;
    if (drop) {
      drop();
    }
    enqueue(InboundFrame.ending(ending));
  }

  private void drop() {
    while (true) {
      if (tryClaim()) {
        RecordCursor.discard(this);
        drained = true;
        CLAIM.setRelease(this, FREE);
        return;
      }
      if (CLAIM.compareAndSet(this, HELD, HELD_DROP)) {
        if (delivery.onLoop()) {
          // The handler that is just running ends its own channel.
          walk.discarding = true;
        }
        return;
      }
    }
  }

  private void enqueue(InboundFrame frame) {
    tail.linkNext(frame);
    tail = frame;
    scheduleFromLane();
  }

  /** Makes the consumer look at the channel. Any thread. */
  void schedule() {
    if (mustSchedule()) {
      delivery.ready(this);
      delivery.wake();
    }
  }

  /** The same, but the consumer is woken when the lane's read ends. Lane's thread. */
  private void scheduleFromLane() {
    if (mustSchedule()) {
      delivery.ready(this);
      lane.wake(delivery);
    }
  }

  private boolean mustSchedule() {
    // What was published must be visible before the flag is looked at: the consumer clears it, then
    // looks again.
    VarHandle.fullFence();
    return !(boolean) SCHEDULED.getOpaque(this) && SCHEDULED.compareAndSet(this, false, true);
  }

  // ---- both sides

  /** Position up to which memory has been given back. */
  long consumed() {
    return (long) CONSUMED.getAcquire(this);
  }

  /** Position up to which the application has taken whole messages. */
  long taken() {
    return (long) TAKEN.getAcquire(this);
  }

  /**
   * What is wrong with the channel's data, or null. The lane resets the channel with it and ends
   * it.
   */
  InboundFault fault() {
    return fault;
  }

  /**
   * Whether the channel ended and holds no memory any more. The lane is told when that becomes
   * true.
   */
  boolean drained() {
    return drained;
  }

  /** The first fault wins; the lane is told. */
  void fail(InboundFault found) {
    if (FAULT.compareAndSet(this, null, found)) {
      raise();
    }
  }

  private void raise() {
    if (ATTENTION.compareAndSet(this, false, true)) {
      lane.raise(this);
    }
  }

  /** The lane is about to look. */
  void attentionSeen() {
    ATTENTION.setVolatile(this, false);
    VarHandle.fullFence();
  }

  // ---- the consumer's side

  /** Whether the lane wants the queue to be thrown away while it is walked. Claim. */
  boolean dropRequested() {
    return (int) CLAIM.getOpaque(this) == HELD_DROP;
  }

  boolean tryClaim() {
    return CLAIM.compareAndSet(this, FREE, HELD);
  }

  void releaseClaim() {
    if (!CLAIM.compareAndSet(this, HELD, FREE)) {
      RecordCursor.discard(this);
      drained = true;
      CLAIM.setRelease(this, FREE);
      raise();
    }
  }

  /**
   * Takes the channel off the ready list. Claim.
   *
   * @param waiting whether it waits for assembly memory, so that what is queued does not count
   * @return false if there is something to do again and the caller must look once more
   */
  boolean unschedule(boolean waiting) {
    SCHEDULED.setVolatile(this, false);
    VarHandle.fullFence();
    boolean nothing = waiting ? !delivery.assembler().granted(this) : isEmpty();
    return nothing || !SCHEDULED.compareAndSet(this, false, true);
  }

  /** Whether there is nothing to walk. Claim. */
  boolean isEmpty() {
    InboundFrame current = walk.frame;
    return (current == null || walk.offset == current.limit()) && head.linkedNext() == null;
  }

  /** Takes the next element; null if there is none. Claim. */
  InboundFrame poll() {
    InboundFrame next = head.linkedNext();
    if (next != null) {
      head.unlinkNext();
      head = next;
    }
    return next;
  }

  /** Takes the next element unless it is the ending. Claim. */
  InboundFrame pollData() {
    InboundFrame next = head.linkedNext();
    return next == null || next.ending != null ? null : poll();
  }

  /**
   * The consumer wants nothing more: what is queued, and what still comes, is thrown away.
   * Consumer's thread.
   */
  void discard() {
    walk.discarding = true;
    schedule();
  }

  /**
   * Publishes how far the consumer is and tells the lane if it asked. Claim.
   *
   * @param givenBack position
   * @param done position behind the last whole message taken
   */
  void publish(long givenBack, long done) {
    CONSUMED.setRelease(this, givenBack);
    TAKEN.setRelease(this, done);
    // Against notifyAt and finishAt, which write what is read here and read what is written.
    VarHandle.fullFence();
    if (givenBack >= (long) NOTIFY_AT.getOpaque(this) || done >= (long) FINAL.getOpaque(this)) {
      raise();
    }
  }

  /**
   * The consumer is about to be told the ending. Claim.
   *
   * @param queued the one in the queue
   * @return the one to tell: never a good end for a channel whose records were thrown away
   */
  Ending endingSeen(Ending queued) {
    drained = true;
    raise();
    if (replacement != null) {
      return replacement;
    }
    InboundFault found = fault;
    return found == null || queued.failed() ? queued : new Ending(found.code(), found.text());
  }
}

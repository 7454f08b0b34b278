package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Record;
import java.util.ArrayDeque;
import java.util.zip.CRC32C;

/**
 * What a consumer has been given: frames in order, walked record by record, every byte compared
 * with what it must be.
 */
final class Intake {
  private static final class Frame {
    private final byte[] bytes;
    private final long position;
    private final int flags;
    private final int crc;

    Frame(byte[] bytes, long position, int flags, int crc) {
      this.bytes = bytes;
      this.position = position;
      this.flags = flags;
      this.crc = crc;
    }
  }

  private final World world;
  private final SimConsumer consumer;
  private final Content content;
  private final ArrayDeque<Frame> queue = new ArrayDeque<>();
  private final CRC32C crc = new CRC32C();
  private long received;
  private long receivedRecords;
  private boolean checked;

  /** Offset in the first frame. */
  private int offset;

  private long walked;
  private long sequence;

  /** Bytes of the present record that have been taken. */
  private int inRecord;

  private long taken;
  private long lastTakenStart;
  private int assembling;
  private boolean waitsForAssembly;
  private int assemblyHeld;

  Intake(World world, SimConsumer consumer) {
    this.world = world;
    this.consumer = consumer;
    this.content = consumer.plan.content;
  }

  void add(byte[] bytes, long position, long first, int messages, int flags, int crc) {
    if (position != received || first != receivedRecords) {
      throw new SimFailure(
          consumer
              + " got a frame at "
              + position
              + "/"
              + first
              + ", not at "
              + received
              + "/"
              + receivedRecords);
    }
    received += bytes.length;
    receivedRecords += messages;
    queue.add(new Frame(bytes, position, flags, crc));
  }

  long received() {
    return received;
  }

  long taken() {
    return taken;
  }

  long recordsTaken() {
    return sequence;
  }

  boolean hasQueued() {
    return !queue.isEmpty();
  }

  /** Whether the application has walked all that there is. */
  boolean isCaughtUp() {
    return queue.isEmpty() && !waitsForAssembly;
  }

  /** Takes a record or a piece; false if there is none that can be taken. */
  boolean takeOne() {
    Frame frame = queue.peek();
    if (frame == null || waitsForAssembly || !check(frame)) {
      return false;
    }
    int left = frame.bytes.length - offset;
    boolean piece = (frame.flags & Frames.PIECE) != 0;
    int whole = Record.HEAD_BYTES + content.length(sequence);
    int length = piece ? left : Math.min(left, whole);
    if (piece && !assembles(whole)) {
      return false;
    }
    compare(frame, length);
    walked += length;
    offset += length;
    inRecord += length;
    if (inRecord > whole) {
      throw new SimFailure(consumer + " got " + inRecord + " bytes of a record of " + whole);
    }
    if (inRecord == whole) {
      recordEnds();
    } else if (!piece) {
      throw new SimFailure(consumer + " got a part of record " + sequence + " that is no piece");
    }
    if (offset == frame.bytes.length) {
      queue.poll();
      offset = 0;
      checked = false;
    }
    return true;
  }

  private void recordEnds() {
    lastTakenStart = taken;
    taken = walked;
    inRecord = 0;
    sequence++;
    if (assembling > 0) {
      world.covers(Rule.R7_ASSEMBLED);
      keepForAWhile();
    }
    consumer.took(sequence - 1);
  }

  /** Whether the memory for the whole message is there, before its first piece is taken. */
  private boolean assembles(int whole) {
    if (consumer.plan.temper != ChannelPlan.Temper.ASSEMBLE || assembling > 0) {
      return true;
    }
    assembling = whole;
    if (consumer.node.assembly().reserve(consumer, whole)) {
      assemblyHeld = whole;
      return true;
    }
    waitsForAssembly = true;
    return false;
  }

  void granted() {
    waitsForAssembly = false;
    assemblyHeld = assembling;
  }

  /** The application has the message whole, and lets go of it later. */
  private void keepForAWhile() {
    int bytes = assemblyHeld;
    assembling = 0;
    assemblyHeld = 0;
    world
        .agenda()
        .after(
            world.chance().millis(0, world.plan().keepMillis),
            consumer.node,
            () -> consumer.node.assembly().release(bytes));
  }

  private void release() {
    int bytes = assemblyHeld;
    assembling = 0;
    assemblyHeld = 0;
    if (bytes > 0) {
      consumer.node.assembly().release(bytes);
    }
  }

  private boolean check(Frame frame) {
    if (checked || world.plan().payloadCrcOff) {
      return true;
    }
    crc.reset();
    crc.update(frame.bytes, 0, frame.bytes.length);
    if ((int) crc.getValue() != frame.crc) {
      world.covers(Rule.R9_PAYLOAD_MISMATCH);
      consumer.fail(ErrorCode.CHECKSUM_MISMATCH, "payload at " + frame.position);
      return false;
    }
    checked = true;
    return true;
  }

  private void compare(Frame frame, int length) {
    for (int i = 0; i < length; i++) {
      if (frame.bytes[offset + i] != content.byteAt(sequence, inRecord + i)) {
        if (!consumer.channel.isHonest()) {
          consumer.fail(ErrorCode.APPLICATION_ERROR, "the producer lies");
          return;
        }
        throw new SimFailure(
            consumer + ": byte " + (inRecord + i) + " of record " + sequence + " is wrong");
      }
    }
  }

  /** How much memory the application has given back, by its temper. */
  long givenBack(long end) {
    if (taken >= end && walked == received) {
      return received;
    }
    long back = consumer.plan.frameGranular && offset > 0 ? walked - offset : walked;
    if (consumer.plan.temper == ChannelPlan.Temper.ALIGN && taken > 0) {
      back = Math.min(back, lastTakenStart);
    }
    return Math.max(back, consumer.consumedSoFar());
  }

  /** Throws away what is queued. */
  void drop() {
    queue.clear();
    if (waitsForAssembly) {
      consumer.node.assembly().forget(consumer);
    }
    waitsForAssembly = false;
    release();
  }
}

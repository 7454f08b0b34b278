package dev.penstock.transport.netty;

import dev.penstock.transport.wire.Record;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Walks the records in a channel's queue and hands them out: the checksum of a payload first, then
 * each record as it lies in memory. What does not hold together becomes the channel's fault;
 * nothing more of the channel is handed out then.
 *
 * <p>One for each consumer thread. Called with the channel's claim.
 */
final class RecordCursor {
  /** Why a walk ended. */
  enum Stop {
    /** The channel's queue is empty. */
    EMPTY,
    /** The number of records asked for was handed out. */
    LIMIT,
    /** A large message waits for assembly memory. */
    WAITING,
    /** The handler wants nothing more in this poll. */
    PAUSED
  }

  private static final int CACHED_VIEWS = 4;

  private final InboundDelivery delivery;
  private final PayloadCheck check = new PayloadCheck();

  /** Memory seen last: frames that follow each other mostly lie in the same receive buffer. */
  private final FrameMemory[] memories = new FrameMemory[CACHED_VIEWS];

  private final ByteBuffer[] views = new ByteBuffer[CACHED_VIEWS];
  private int nextView;
  private Stop stop;
  private int handedOut;

  RecordCursor(InboundDelivery delivery) {
    this.delivery = delivery;
  }

  /** Why the last walk ended. */
  Stop stop() {
    return stop;
  }

  /**
   * Records and pieces handed out by the last walk, also when it ended with the handler's
   * exception.
   */
  int handedOut() {
    return handedOut;
  }

  /** A channel could not be walked now. */
  void skip() {
    handedOut = 0;
    stop = Stop.LIMIT;
  }

  /**
   * Hands out records until there are no more, the limit is reached, or the handler pauses.
   *
   * @param channel claimed
   * @param limit most records, at least 1
   * @param handler its exceptions pass through; the record that it was given counts as taken
   */
  void walk(InboundChannel channel, int limit, RecordHandler handler) {
    RecordPosition walk = channel.walk;
    handedOut = 0;
    stop = null;
    while (stop == null) {
      if (walk.discarding || channel.dropRequested() || channel.fault() != null) {
        discard(channel);
      }
      if (walk.frame == null && !nextFrame(channel, handler)) {
        stop = Stop.EMPTY;
      } else if (walk.frame != null) {
        if (handedOut >= limit && walk.offset < walk.frame.limit()) {
          stop = Stop.LIMIT;
        } else {
          step(channel, limit, handler);
        }
      }
    }
  }

  /** Goes on in the current frame. */
  private void step(InboundChannel channel, int limit, RecordHandler handler) {
    RecordPosition walk = channel.walk;
    InboundFrame frame = walk.frame;
    int end = frame.limit();
    InboundFault fault = walk.checked ? null : begin(channel, frame);
    if (fault == null && walk.offset < end) {
      fault =
          frame.isPiece()
              ? piece(channel, frame, end, handler)
              : records(channel, frame, end, limit, handler);
    }
    if (fault == null && walk.offset == end) {
      fault = finish(channel, frame, end);
    }
    if (fault != null) {
      channel.fail(fault);
    }
  }

  /** Takes the next element of the queue. */
  private boolean nextFrame(InboundChannel channel, RecordHandler handler) {
    InboundFrame frame = channel.poll();
    if (frame == null) {
      return false;
    }
    if (frame.ending != null) {
      // A message may have been under way when the channel failed.
      discard(channel);
      handler.onEnding(channel, channel.endingSeen(frame.ending));
      return false;
    }
    RecordPosition walk = channel.walk;
    walk.frame = frame;
    walk.offset = frame.offset;
    walk.checked = false;
    walk.found = 0;
    return true;
  }

  private InboundFault begin(InboundChannel channel, InboundFrame frame) {
    RecordPosition walk = channel.walk;
    if (!frame.verified && channel.checkCrc()) {
      InboundFault fault =
          check.crc(view(frame), frame.offset, frame.limit(), frame.crc, frame.position);
      if (fault != null) {
        return fault;
      }
    }
    walk.checked = true;
    if (frame.sequence != walk.sequence) {
      return PayloadCheck.violation(
          "expected message " + walk.sequence + ", a payload starts with " + frame.sequence);
    }
    if (walk.rest > 0 && !frame.isPiece()) {
      return PayloadCheck.violation(
          "message "
              + walk.sequence
              + " lacks "
              + walk.rest
              + " bytes, and a payload of whole messages came");
    }
    return null;
  }

  /** Whole records. */
  private InboundFault records(
      InboundChannel channel, InboundFrame frame, int end, int limit, RecordHandler handler) {
    RecordPosition walk = channel.walk;
    ByteBuffer root = frame.memory.root();
    ByteBuffer view = view(frame);
    int maxMessage = delivery.maxMessage();
    int offset = walk.offset;
    while (offset < end && handedOut < limit) {
      if (end - offset < Record.HEAD_BYTES) {
        return PayloadCheck.head(root, offset, end, maxMessage);
      }
      int head = PayloadCheck.headAt(root, offset);
      int length = Record.length(head);
      int kind = Record.kind(head);
      int body = offset + Record.HEAD_BYTES;
      if (length > end - body || kind > Record.EVENT || length > maxMessage) {
        return PayloadCheck.head(root, offset, end, maxMessage);
      }
      offset = body + length;
      // Before the handler runs: it may throw.
      walk.offset = offset;
      walk.found++;
      long sequence = walk.sequence++;
      handedOut++;
      view.limit(offset).position(body).order(ByteOrder.BIG_ENDIAN);
      if (!handler.onRecord(channel, kind, sequence, view)) {
        stop = Stop.PAUSED;
        return null;
      }
      if (walk.discarding) {
        return null;
      }
    }
    return null;
  }

  /** One piece of a record. */
  private InboundFault piece(
      InboundChannel channel, InboundFrame frame, int end, RecordHandler handler) {
    RecordPosition walk = channel.walk;
    if (walk.rest == 0 && walk.offset == frame.offset) {
      InboundFault fault = firstPiece(walk, frame, end);
      if (fault != null) {
        return fault;
      }
    }
    int length = end - walk.offset;
    if (length > walk.rest
        || frame.isLastPiece() != (length == walk.rest)
        || frame.messages != (frame.isLastPiece() ? 1 : 0)) {
      return PayloadCheck.violation(
          "a piece of "
              + length
              + " bytes, message "
              + walk.sequence
              + " lacks "
              + walk.rest
              + "; last piece: "
              + frame.isLastPiece()
              + ", messages: "
              + frame.messages);
    }
    Assembler assembler = delivery.assembler();
    if (assembler == null) {
      handPiece(channel, frame, length, handler);
      return null;
    }
    return assemble(channel, frame, length, assembler, handler);
  }

  private InboundFault firstPiece(RecordPosition walk, InboundFrame frame, int end) {
    ByteBuffer root = frame.memory.root();
    if (end - frame.offset <= Record.HEAD_BYTES) {
      return PayloadCheck.violation(
          "the first piece of message "
              + walk.sequence
              + " has "
              + (end - frame.offset)
              + " bytes");
    }
    int head = PayloadCheck.headAt(root, frame.offset);
    if (Record.kind(head) > Record.EVENT) {
      return PayloadCheck.violation(
          "a record of kind " + Record.kind(head) + ", known are 0 and 1");
    }
    int total = Record.length(head);
    if (total > delivery.maxMessage()) {
      return PayloadCheck.tooLarge(total, delivery.maxMessage());
    }
    walk.kind = Record.kind(head);
    walk.total = total;
    walk.rest = total;
    walk.offset = frame.offset + Record.HEAD_BYTES;
    return null;
  }

  private void handPiece(
      InboundChannel channel, InboundFrame frame, int length, RecordHandler handler) {
    RecordPosition walk = channel.walk;
    ByteBuffer view = view(frame);
    int at = walk.total - walk.rest;
    view.limit(walk.offset + length).position(walk.offset).order(ByteOrder.BIG_ENDIAN);
    walk.offset += length;
    walk.rest -= length;
    handedOut++;
    long sequence = walk.sequence;
    if (walk.rest == 0) {
      walk.sequence++;
      walk.found++;
    }
    if (!handler.onPiece(channel, walk.kind, sequence, view, at, walk.total)) {
      stop = Stop.PAUSED;
    }
  }

  private InboundFault assemble(
      InboundChannel channel,
      InboundFrame frame,
      int length,
      Assembler assembler,
      RecordHandler handler) {
    RecordPosition walk = channel.walk;
    if (walk.assembly == null) {
      if (ReceiveMemory.allocatedSize(walk.total) > assembler.budget()) {
        return PayloadCheck.tooLargeToAssemble(walk.total, assembler.budget());
      }
      if (!assembler.reserve(channel, walk.total)) {
        stop = Stop.WAITING;
        return null;
      }
      try {
        walk.assembly = assembler.allocate(walk.total);
      } catch (OutOfMemoryError e) {
        return PayloadCheck.noMemory(walk.total, e);
      }
    }
    ByteBuffer source = view(frame).limit(walk.offset + length).position(walk.offset);
    walk.assembly.writeBytes(source);
    walk.offset += length;
    walk.rest -= length;
    if (walk.rest == 0) {
      // The memory of the last piece goes back first, then the whole message is handed out.
      walk.sequence++;
      walk.found++;
      handedOut++;
      handAssembled(channel, assembler, handler);
    }
    return null;
  }

  private void handAssembled(InboundChannel channel, Assembler assembler, RecordHandler handler) {
    RecordPosition walk = channel.walk;
    ByteBuf assembly = walk.assembly;
    try {
      ByteBuffer bytes = assembly.nioBuffer().asReadOnlyBuffer();
      if (!handler.onRecord(channel, walk.kind, walk.sequence - 1, bytes)) {
        stop = Stop.PAUSED;
      }
    } finally {
      walk.assembly = null;
      assembly.release();
      assembler.release(channel);
    }
  }

  /** Gives the frame's memory back, unless more is being appended to it. */
  private InboundFault finish(InboundChannel channel, InboundFrame frame, int end) {
    RecordPosition walk = channel.walk;
    if (!frame.seal(end)) {
      if (frame.limit() == end && stop == null) {
        // The lane is about to append, and schedules the channel when it has.
        stop = Stop.EMPTY;
      }
      return null;
    }
    if (!frame.verified && walk.found != frame.messages) {
      return PayloadCheck.count(frame.messages, walk.found);
    }
    long position = frame.position + (end - frame.offset);
    walk.frame = null;
    frame.memory.release();
    frame.memory = null;
    if (walk.rest == 0) {
      walk.taken = position;
    }
    channel.publish(position, walk.taken);
    return null;
  }

  /** A view for handing out what lies in a frame's memory. */
  private ByteBuffer view(InboundFrame frame) {
    FrameMemory memory = frame.memory;
    for (int i = 0; i < CACHED_VIEWS; i++) {
      if (memories[i] == memory) {
        return views[i];
      }
    }
    ByteBuffer view = memory.root().asReadOnlyBuffer();
    memories[nextView] = memory;
    views[nextView] = view;
    nextView = (nextView + 1) % CACHED_VIEWS;
    return view;
  }

  /** Throws away what is queued, up to the ending. With the channel's claim. */
  static void discard(InboundChannel channel) {
    RecordPosition walk = channel.walk;
    if (walk.assembly != null) {
      walk.assembly.release();
      walk.assembly = null;
    }
    Assembler assembler = channel.delivery().assembler();
    if (assembler != null) {
      assembler.release(channel);
    }
    walk.rest = 0;
    InboundFrame frame = walk.frame != null ? walk.frame : channel.pollData();
    walk.frame = null;
    while (frame != null) {
      while (!frame.seal(frame.limit())) {
        Thread.onSpinWait();
      }
      frame.memory.release();
      frame.memory = null;
      frame = channel.pollData();
    }
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.protocol.RecordSource;
import dev.penstock.transport.wire.Record;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;

/**
 * An outgoing channel's records until they are acknowledged: pooled direct chunks, appended to by
 * one application thread and read by the lane's loop. Bytes are written in place and never move
 * again.
 *
 * <p>Threads: methods are marked <i>writer</i> (one application thread at a time), <i>loop</i> (the
 * lane's event loop) or <i>any</i>. The two sides meet in one {@link LogWord}; each message costs
 * the writer two atomic additions and no lock.
 *
 * <p>Ownership: the log owns its chunks and charges them to a {@link LogAccount} that it closes. A
 * chunk goes back when it is acknowledged and no write refers to it; the writer's current one too,
 * when it is empty and larger than the smallest, or when the writer lacks memory. {@link #release}
 * must be called in the end.
 */
final class AppendLog implements RecordSource, PayloadSource {
  private static final int CACHE_LINE = 64;

  /** Measured: 2 to 8 KiB are alike, nothing costs a third of the throughput. */
  private static final int OWN_AHEAD = 4096;

  private final LogWord word;
  private final LogAccount account;
  private final ScratchPermit scratch;
  private final ByteBufAllocator allocator;
  private final LogSettings settings;
  private final Runnable attention;
  private final SegmentWriter segments;
  private final LogReader reader;

  // Writer.
  private Chunk chunk;
  private ByteBuffer view;
  private int offset;
  private int room;
  private long position;
  private long sequence;
  private int claimed;

  /** Up to where the current chunk is in this core's cache, as far as can be known. */
  private int owned;

  private int lastChunk;

  /**
   * Creates an empty log without memory. It is idle: the first commit asks for attention.
   *
   * @param account what chunks are charged to; closed by this
   * @param scratch shared by the logs of one writer
   * @param allocator a pooled one: its size classes are what {@link ChunkSizes} counts
   * @param settings layout
   * @param position where the channel starts; 0 but in tests
   * @param sequence where the channel starts; 0 but in tests
   * @param attention makes the lane look: {@link #tryIdle}, and send if that fails. Runs on the
   *     writer's thread, at most once for each time the log went idle
   */
  AppendLog(
      LogAccount account,
      ScratchPermit scratch,
      ByteBufAllocator allocator,
      LogSettings settings,
      long position,
      long sequence,
      Runnable attention) {
    this.account = account;
    this.scratch = scratch;
    this.allocator = allocator;
    this.settings = settings;
    this.attention = attention;
    this.position = position;
    this.sequence = sequence;
    word = new LogWord(position, sequence);
    chunk = new Chunk(position, sequence);
    segments = new SegmentWriter(settings, position);
    reader = new LogReader(word, account, segments, chunk);
    lastChunk = account.startChunk();
  }

  // ---- writer

  /**
   * Writer: asks for room for one record. When admitted, fill {@link #claimedMemory} and {@link
   * #commit}, or {@link #abort}. Does not block.
   *
   * @param kind {@link Record#MESSAGE} or {@link Record#EVENT}
   * @param length bytes of the body
   * @return ADMITTED, BACK_PRESSURED, TOO_LARGE or CLOSED
   */
  AppendResult tryClaim(int kind, int length) {
    if (claimed != 0) {
      throw new IllegalStateException("the previous claim was neither committed nor aborted");
    }
    if (length > settings.maxMessageBytes()) {
      return AppendResult.TOO_LARGE;
    }
    int total = Record.HEAD_BYTES + length;
    long old = word.claim();
    if ((old & (LogWord.DETACHED | LogWord.CLOSED)) != 0 || total > room) {
      AppendResult refused = claimInNewChunk(old, kind, total);
      if (refused != null) {
        return refused;
      }
    } else if (segments.full(offset + total)) {
      segments.close(chunk, offset, messagesInChunk(), total);
    }
    claimed = total;
    if (offset + total > owned) {
      own(total);
    }
    view.putInt(offset, Record.head(kind, length));
    return AppendResult.ADMITTED;
  }

  /** Writer: the memory, big-endian, that the claimed record's body goes to. */
  ByteBuffer claimedMemory() {
    return chunk.bodyView();
  }

  /** Writer: length of the claimed body. */
  int claimedLength() {
    return claimed - Record.HEAD_BYTES;
  }

  /** Writer: where in {@link #claimedMemory} the body starts. */
  int claimedOffset() {
    return offset + Record.HEAD_BYTES;
  }

  /**
   * Writer: fills the claimed body.
   *
   * @param body as long as was claimed; its position does not move
   */
  void fill(ByteBuffer body) {
    chunk.bodyView().put(claimedOffset(), body, body.position(), claimedLength());
  }

  /**
   * Writer: publishes the claimed record.
   *
   * @return false if the channel ended meanwhile: the record will not be sent
   */
  boolean commit() {
    int total = claimed;
    if (total == 0) {
      throw new IllegalStateException("nothing is claimed");
    }
    claimed = 0;
    offset += total;
    room -= total;
    position += total;
    long published = sequence++;
    if (segments.full(offset + total)) {
      // Another one like this does not fit: sum before the loop can see it.
      segments.close(chunk, offset, messagesInChunk(), total);
    }
    long old = word.publish(total, published);
    if ((old & (LogWord.IDLE | LogWord.CLOSED)) != 0) {
      return committedWhileIdleOrClosed(old);
    }
    return true;
  }

  /** Writer: gives the claimed room back. */
  void abort() {
    if (claimed == 0) {
      throw new IllegalStateException("nothing is claimed");
    }
    claimed = 0;
    // A chunk got for this record alone is not kept, and the loop is to look at what it replaced.
    leave(offset == 0 ? LogWord.WANTED : 0);
  }

  /**
   * Writer: appends a copy. Does not block.
   *
   * @param kind {@link Record#MESSAGE} or {@link Record#EVENT}
   * @param body what is left in it; its position does not move
   * @return ADMITTED, BACK_PRESSURED, TOO_LARGE or CLOSED
   */
  AppendResult offer(int kind, ByteBuffer body) {
    int length = body.remaining();
    AppendResult result = tryClaim(kind, length);
    if (result == AppendResult.ADMITTED) {
      fill(body);
      return commit() ? result : AppendResult.CLOSED;
    }
    return result;
  }

  /**
   * Writer: as {@link #tryClaim}, but waits for memory. Never on an event loop.
   *
   * @param kind {@link Record#MESSAGE} or {@link Record#EVENT}
   * @param length bytes of the body
   * @param deadlineNanos on the scale of {@link System#nanoTime}
   * @return anything but BACK_PRESSURED
   */
  AppendResult claim(int kind, int length, long deadlineNanos) {
    AppendResult result = tryClaim(kind, length);
    if (result != AppendResult.BACK_PRESSURED) {
      return result;
    }
    RoomWaiter waiter = account.waiter();
    try {
      do {
        boolean watched = waiter.watches(account.floatNeed());
        if (!watched) {
          waiter.arm(account.floatNeed(), account.wakeLevel(view == null ? 0 : chunk.capacity()));
          scratch.await(waiter);
          if (waiter.need() > 0) {
            account.memory().await(waiter);
          }
        } else if (Thread.currentThread().isInterrupted()) {
          return AppendResult.INTERRUPTED;
        } else {
          long left = deadlineNanos - System.nanoTime();
          if (left <= 0) {
            return AppendResult.TIMED_OUT;
          }
          LockSupport.parkNanos(this, left);
        }
        result = tryClaim(kind, length);
      } while (result == AppendResult.BACK_PRESSURED);
      return result;
    } finally {
      waiter.disarm();
      account.memory().wakeWaiters();
    }
  }

  /**
   * Writer: waits until a claim would be admitted. Never on an event loop.
   *
   * @param kind {@link Record#MESSAGE} or {@link Record#EVENT}
   * @param length bytes of the body
   * @param deadlineNanos on the scale of {@link System#nanoTime}
   * @return anything but BACK_PRESSURED
   */
  AppendResult awaitRoom(int kind, int length, long deadlineNanos) {
    AppendResult result = claim(kind, length, deadlineNanos);
    if (result == AppendResult.ADMITTED) {
      abort();
    }
    return result;
  }

  /** Writer: bytes appended so far. */
  long appendedPosition() {
    return position;
  }

  /** Writer: messages appended so far. */
  long appendedSequence() {
    return sequence;
  }

  /**
   * Fetches the memory of the next records into this core's cache, many lines at once. The loop's
   * core has had it last, and an atomic addition waits until everything stored before it has
   * arrived: without this each record would wait for lines of its own.
   */
  private void own(int total) {
    int from = Math.max(owned, offset);
    owned = offset + total;
    if (total < OWN_AHEAD) { // the copy of a longer one has many lines under way itself
      owned = Math.min(owned + OWN_AHEAD, chunk.capacity());
      for (int i = from; i < owned; i += CACHE_LINE) {
        view.put(i, (byte) 0);
      }
    }
  }

  private int messagesInChunk() {
    return (int) (sequence - chunk.startSequence);
  }

  private boolean committedWhileIdleOrClosed(long old) {
    if ((old & LogWord.CLOSED) != 0) {
      freeForLoop();
      return false;
    }
    if (word.clearIdle()) {
      attention.run();
    }
    return true;
  }

  /** Answers null when the claim holds. */
  private AppendResult claimInNewChunk(long old, int kind, int total) {
    if ((old & LogWord.CLOSED) != 0) {
      word.alter(0, LogWord.CLAIMED);
      view = null;
      return AppendResult.CLOSED;
    }
    boolean detached = (old & LogWord.DETACHED) != 0;
    if (detached) {
      view = null;
      room = 0;
    } else {
      segments.close(chunk, offset, messagesInChunk(), Integer.MAX_VALUE);
    }
    boolean attached = false;
    try {
      Chunk fresh = allocate(kind, total, detached ? account.startChunk() : grown());
      if (fresh != null) {
        attach(fresh, detached);
        attached = true;
      }
    } finally {
      if (!attached) {
        leave(LogWord.WANTED);
      }
    }
    return attached ? null : AppendResult.BACK_PRESSURED;
  }

  private void attach(Chunk fresh, boolean detached) {
    if (!detached) {
      chunk.seal(position, sequence);
    }
    chunk.link(fresh);
    chunk = fresh;
    view = fresh.writeView();
    offset = 0;
    owned = 0;
    room = fresh.capacity();
    segments.restart();
    word.alter(0, LogWord.DETACHED | LogWord.WANTED);
  }

  /**
   * Chunks follow what is in flight: twice the last if hardly any of it is acknowledged, half of it
   * if nearly all is.
   */
  private int grown() {
    long unacknowledged = position - reader.acknowledged();
    if (unacknowledged > lastChunk / 2) {
      return Math.min(lastChunk * 2, settings.maxChunkBytes());
    }
    return unacknowledged < lastChunk / 8
        ? Math.max(ChunkSizes.within(lastChunk / 2), account.startChunk())
        : lastChunk;
  }

  private Chunk allocate(int kind, int total, int wanted) {
    int least = ChunkSizes.holding(total);
    for (int size = wanted; size > least; size = ChunkSizes.within(size / 2)) {
      if (account.tryCharge(size)) {
        lastChunk = size;
        return allocate(size, account);
      }
    }
    if (account.tryCharge(least)) {
      lastChunk = Math.max(Math.min(least, settings.maxChunkBytes()), account.startChunk());
      return allocate(least, account);
    }
    if (kind == Record.EVENT && least <= ChunkSizes.EVENT && account.tryChargeEvent()) {
      return allocate(ChunkSizes.EVENT, account.eventReserve());
    }
    if (least > account.floor() && scratch.tryAcquire(least)) {
      return allocate(least, scratch);
    }
    return null;
  }

  private Chunk allocate(int size, ChunkOwner charged) {
    ChunkBuffer buffer = null;
    try {
      ByteBuf memory = allocator.directBuffer(size, size);
      ByteBuffer bytes = memory.nioBuffer(0, size).order(ByteOrder.LITTLE_ENDIAN);
      buffer = new ChunkBuffer(memory, bytes, charged);
      return new Chunk(position, sequence, buffer, bytes);
    } finally {
      if (buffer == null) {
        charged.chunkFreed(size);
      }
    }
  }

  /** Ends a claim without a record. */
  private void leave(long set) {
    long old = word.alter(set, LogWord.CLAIMED);
    if ((old & LogWord.CLOSED) != 0) {
      freeForLoop();
    } else if (((old | set) & LogWord.WANTED) != 0
        && (old & LogWord.DETACHED) == 0
        && reader.acknowledged() == position
        && word.clearIdle()) {
      // The chunk is empty and the loop, which may take it, sleeps.
      attention.run();
    }
  }

  /** The loop closed the log while the writer was in it. */
  private void freeForLoop() {
    view = null;
    room = 0;
    reader.free();
  }

  // ---- loop

  @Override
  public long committedPosition() {
    return reader.committedPosition();
  }

  @Override
  public long committedSequence() {
    return reader.committedSequence();
  }

  @Override
  public boolean cut(long from, int maxLength, int pieceLength, FrameCut cut) {
    return reader.cut(from, maxLength, pieceLength, cut);
  }

  @Override
  public void acknowledged(long upTo) {
    reader.acknowledge(upTo);
  }

  @Override
  public void release() {
    reader.release();
    account.waiter().wake();
  }

  @Override
  public void copyPayload(long from, int length, ByteBuffer target) {
    reader.copy(from, length, target);
  }

  @Override
  public void slicePayload(long from, int length, Sink sink) {
    reader.slices(from, length, sink);
  }

  /**
   * Loop: unless more was committed than was cut, goes idle: the next commit asks for attention.
   * While a log is not idle it has something to send or the loop is in a turn with it. Frees what
   * the writer left empty.
   *
   * @return false if there is more: go on sending
   */
  @Override
  public boolean tryIdle() {
    return reader.tryIdle();
  }

  /** Loop: both sides agreed to do without payload CRCs. */
  void payloadCrcOff() {
    segments.payloadCrcOff();
  }

  /** Loop: payload bytes that the loop had to sum itself. */
  long summedByLoop() {
    return reader.summedByLoop();
  }

  /** Loop: records that the loop had to walk over to find a cut. */
  long walkedByLoop() {
    return reader.walkedByLoop();
  }

  /** Any: bytes of memory charged for this log now. */
  long charged() {
    return account.charged();
  }
}

package dev.penstock.transport.netty;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one channel holds of a {@link LogMemory}: its floor first, then float. A part of the floor
 * is kept for one event.
 *
 * <p>Charged by the channel's writer, discharged on any thread; never blocks.
 */
final class LogAccount implements ChunkOwner {
  private static final long CLOSED = 1L << 62;
  private static final long EVENT = 1L << 61;
  private static final long BYTES = EVENT - 1;

  private final LogMemory memory;
  private final long floor;
  private final long cap;
  private final int startChunk;
  private final RoomWaiter waiter = new RoomWaiter();

  /** Bytes charged, whether the event's reserve is in use, whether the channel is over. */
  private final AtomicLong state = new AtomicLong();

  private final ChunkOwner eventReserve = this::eventFreed;

  /** Writer only: the float that would have helped the last refused charge, 0 if none would. */
  private long floatNeed;

  LogAccount(LogMemory memory, int floor, long cap) {
    this.memory = memory;
    this.floor = (long) floor - ChunkSizes.EVENT;
    this.cap = cap;
    this.startChunk = ChunkSizes.start(floor);
  }

  /** Bytes that are always granted once everything else is acknowledged. */
  long floor() {
    return floor;
  }

  /** The size to start with; two fit into the floor. */
  int startChunk() {
    return startChunk;
  }

  RoomWaiter waiter() {
    return waiter;
  }

  LogMemory memory() {
    return memory;
  }

  long floatNeed() {
    return floatNeed;
  }

  /**
   * Writer: of the bytes charged, how many are left when it is worth being woken: half of them, for
   * who wakes at each chunk does little else. All but the current chunk are given back without the
   * writer, so that level comes.
   *
   * @param current size of the writer's chunk
   */
  long wakeLevel(int current) {
    return Math.max((state.get() & BYTES) / 2, current);
  }

  /** Bytes charged, the event's reserve included. */
  long charged() {
    long now = state.get();
    return (now & BYTES) + ((now & EVENT) != 0 ? ChunkSizes.EVENT : 0);
  }

  /** Writer: charges a chunk that is about to be allocated. */
  boolean tryCharge(int bytes) {
    for (; ; ) {
      long now = state.get();
      long after = floating((now & BYTES) + bytes);
      long delta = after - floating(now & BYTES);
      if (after > cap) {
        floatNeed = 0;
        return false;
      }
      if (delta > 0 && !memory.take(delta, after)) {
        floatNeed = after + floating(now & BYTES) / 2;
        return false;
      }
      if (state.compareAndSet(now, now + bytes)) {
        return true;
      }
      returnFloat(delta);
    }
  }

  /**
   * Writer: charges the reserve for an event; false while the last one that needed it is not
   * acknowledged.
   */
  boolean tryChargeEvent() {
    long now;
    do {
      now = state.get();
      if ((now & EVENT) != 0) {
        return false;
      }
    } while (!state.compareAndSet(now, now | EVENT));
    return true;
  }

  @Override
  public void chunkFreed(int bytes) {
    long now = state.getAndAdd(-bytes);
    long delta = floating(now & BYTES) - floating((now & BYTES) - bytes);
    settle(now - bytes);
    waiter.freed((now & BYTES) - bytes);
    returnFloat(delta);
  }

  /** Who is charged for a chunk of the event's reserve. */
  ChunkOwner eventReserve() {
    return eventReserve;
  }

  private void eventFreed(int bytes) {
    settle(state.addAndGet(-EVENT));
    waiter.wake();
  }

  /** The channel is over: its floor is free when its last chunk is. */
  void close() {
    settle(state.addAndGet(CLOSED));
  }

  private void settle(long now) {
    if (now == CLOSED) {
      memory.unregister();
    }
  }

  private void returnFloat(long delta) {
    if (delta > 0) {
      memory.giveBack(delta);
      memory.wakeWaiters();
    }
  }

  private long floating(long bytes) {
    return Math.max(0, bytes - floor);
  }
}

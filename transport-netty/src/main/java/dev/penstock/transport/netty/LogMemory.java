package dev.penstock.transport.netty;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A sending node's memory budget; many gates may share it. One half is for floors: each registered
 * channel owns one for its life and it is never lent, so every channel can always move on. The
 * other half floats: a channel takes from it while it is below its cap and while it holds no more
 * than what is left for the others, so that a few stuck channels cannot take it all.
 *
 * <p>Charges are whole chunks, made before they are allocated. Thread safe; never blocks.
 */
final class LogMemory {
  static final long DEFAULT_BYTES = 32L << 20;
  static final int DEFAULT_CHANNELS = 10_000;

  /** Twice the credit window: acknowledgements may ride on grants. */
  static final long DEFAULT_CHANNEL_CAP = 2L << 20;

  /** More cannot be told apart in a log's word. */
  private static final long MAX_PER_CHANNEL = 256L << 20;

  private final long bytes;
  private final int floor;
  private final long channelCap;
  private final int maxChannels;
  private final AtomicInteger registered = new AtomicInteger();
  private final AtomicLong floatFree;
  private volatile long leastFree = Long.MAX_VALUE;
  private final AtomicReference<RoomWaiter> waiters = new AtomicReference<>();

  /**
   * Divides a budget.
   *
   * @param bytes all of it
   * @param channels how many channels it is meant for
   * @param channelCap the most float that one channel may hold
   */
  LogMemory(long bytes, int channels, long channelCap) {
    if (bytes < 2L * ChunkSizes.MIN_FLOOR || channels < 1 || channelCap < 0) {
      throw new IllegalArgumentException(
          "log memory needs at least 2048 bytes, one channel and a cap that is not negative; got "
              + bytes
              + ", "
              + channels
              + ", "
              + channelCap);
    }
    this.bytes = bytes;
    this.floor =
        (int)
            Math.min(Math.max(bytes / (2L * channels), ChunkSizes.MIN_FLOOR), MAX_PER_CHANNEL / 2);
    this.maxChannels = (int) Math.min(Integer.MAX_VALUE, bytes / 2 / floor);
    this.channelCap = Math.min(channelCap, MAX_PER_CHANNEL / 2);
    this.floatFree = new AtomicLong(bytes - bytes / 2);
  }

  /**
   * Reserves a floor.
   *
   * @return the channel's account; empty if the floors would take more than half of the budget
   */
  Optional<LogAccount> register() {
    int count;
    do {
      count = registered.get();
      if (count == maxChannels) {
        return Optional.empty();
      }
    } while (!registered.compareAndSet(count, count + 1));
    return Optional.of(new LogAccount(this, floor, channelCap));
  }

  void unregister() {
    registered.decrementAndGet();
  }

  long bytes() {
    return bytes;
  }

  /** Bytes that each channel owns. */
  int floor() {
    return floor;
  }

  int maxChannels() {
    return maxChannels;
  }

  int registered() {
    return registered.get();
  }

  /** Floors reserved and float taken now. */
  long used() {
    return (long) registered() * floor + bytes - bytes / 2 - floatFree.get();
  }

  /** The most float that was ever taken, and the floors reserved now. */
  long peak() {
    long floating = leastFree == Long.MAX_VALUE ? 0 : bytes - bytes / 2 - leastFree;
    return (long) registered() * floor + floating;
  }

  long floatFree() {
    return floatFree.get();
  }

  /**
   * Takes float.
   *
   * @param delta bytes to take
   * @param after what the channel then holds
   * @return false if too little is left
   */
  boolean take(long delta, long after) {
    long free;
    do {
      free = floatFree.get();
      if (after > free) {
        return false;
      }
    } while (!floatFree.compareAndSet(free, free - delta));
    if (free - delta < leastFree) {
      leastFree = free - delta; // a lost race loses a little of a statistic
    }
    return true;
  }

  void giveBack(long delta) {
    floatFree.addAndGet(delta);
  }

  /**
   * Waiter: to be woken when {@link RoomWaiter#need} bytes are free. Look at the level again after
   * this.
   */
  void await(RoomWaiter waiter) {
    if (waiter.enqueue()) {
      push(waiter);
    }
  }

  /**
   * Wakes whom the free float would serve, in the order they came. To be called after float was
   * given back, and by every waiter that leaves: what it did not take may serve another.
   */
  void wakeWaiters() {
    long smallestLeft;
    long before;
    do {
      smallestLeft = Long.MAX_VALUE;
      before = floatFree.get();
      long free = before;
      RoomWaiter waiter = inOrder(waiters.getAndSet(null));
      while (waiter != null) {
        RoomWaiter next = waiter.next;
        long need = waiter.need();
        if (!waiter.armed() || need <= free) {
          free -= waiter.armed() ? need : 0;
          waiter.dequeued();
          waiter.wake();
        } else {
          push(waiter);
          smallestLeft = Math.min(smallestLeft, need);
        }
        waiter = next;
      }
      // What came while the list was in our hands found no one to wake; what a woken one took, or
      // did not take, is
      // looked at again when it leaves.
    } while (gained(before, smallestLeft));
  }

  private boolean gained(long before, long smallestLeft) {
    long now = floatFree.get();
    return now > before && now >= smallestLeft;
  }

  private void push(RoomWaiter waiter) {
    RoomWaiter head;
    do {
      head = waiters.get();
      waiter.next = head;
    } while (!waiters.compareAndSet(head, waiter));
  }

  private static RoomWaiter inOrder(RoomWaiter newestFirst) {
    RoomWaiter reversed = null;
    RoomWaiter waiter = newestFirst;
    while (waiter != null) {
      RoomWaiter next = waiter.next;
      waiter.next = reversed;
      reversed = waiter;
      waiter = next;
    }
    return reversed;
  }
}

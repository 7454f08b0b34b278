package dev.penstock.transport.netty;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A gate's one permit to allocate a message beside its memory budget: for a message that is larger
 * than its channel's reserve when float is short. So any message up to the maximum can be sent
 * whatever the other channels hold.
 *
 * <p>Acquired by the gate's application thread, released on any thread.
 */
final class ScratchPermit implements ChunkOwner {
  private final int maxBytes;
  private final AtomicInteger held = new AtomicInteger();
  private volatile RoomWaiter waiter;

  /**
   * Creates a free one.
   *
   * @param maxBytes the largest chunk it is good for
   */
  ScratchPermit(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  int maxBytes() {
    return maxBytes;
  }

  /** Bytes allocated beside the budget now. */
  int heldBytes() {
    return held.get();
  }

  boolean tryAcquire(int bytes) {
    return bytes <= maxBytes && held.compareAndSet(0, bytes);
  }

  /** The gate's thread waits, also, for this; look at the level again after this. */
  void await(RoomWaiter waiter) {
    this.waiter = waiter;
  }

  @Override
  public void chunkFreed(int bytes) {
    held.addAndGet(-bytes);
    RoomWaiter waiting = waiter;
    if (waiting != null) {
      waiting.wake();
    }
  }
}

package dev.penstock.transport.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * One log's application thread waiting for memory. Armed before the last look at the level and
 * woken after the level changed, so that no change is missed; a wake-up is only a hint to look
 * again.
 */
final class RoomWaiter {
  private static final VarHandle QUEUED;

  static {
    try {
      QUEUED = MethodHandles.lookup().findVarHandle(RoomWaiter.class, "queued", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Link in {@link LogMemory}'s list; owned by who holds the list. */
  RoomWaiter next;

  private volatile Thread thread;
  private volatile long need;
  private volatile long wakeAt;

  @SuppressWarnings("unused") // through QUEUED
  private volatile boolean queued;

  /**
   * Waiter: from now on wake the current thread; {@code need} is the float that would help, 0 if
   * none would.
   *
   * @param wakeAt of the bytes that its log holds, how many may be left for {@link #freed} to wake
   *     it
   */
  void arm(long need, long wakeAt) {
    this.need = need;
    this.wakeAt = wakeAt;
    thread = Thread.currentThread();
  }

  /** Waiter: no longer interested. */
  void disarm() {
    thread = null;
  }

  /** Waiter: whether a wake-up for this need is on its way to come. */
  boolean watches(long need) {
    return thread != null && this.need == need && (need == 0 || queued);
  }

  boolean armed() {
    return thread != null;
  }

  long need() {
    return need;
  }

  /** Whether the caller must put this into the list; false if it is in it. */
  boolean enqueue() {
    return !(boolean) QUEUED.getAndSet(this, true);
  }

  /** Who took it out of the list, before waking. */
  void dequeued() {
    queued = false;
  }

  /** Any thread, after the log gave memory back and holds so much still. */
  void freed(long held) {
    if (held <= wakeAt) {
      wake();
    }
  }

  /** Any thread, after the level changed. */
  void wake() {
    Thread waiting = thread;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }
}

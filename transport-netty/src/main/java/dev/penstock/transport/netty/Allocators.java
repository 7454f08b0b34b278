package dev.penstock.transport.netty;

import io.netty.buffer.PooledByteBufAllocator;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The allocators of transports. An open transport has one of its own, or one with those that it
 * shares event loops with, so that what it holds can be told and is bounded by its budgets.
 *
 * <p>A thread of the application keeps its part of every allocator that it ever used, and the
 * memory behind it, until the thread ends. So what closed transports leave is handed to those that
 * come after them: there are never more allocators than transports that were open at a time.
 *
 * <p>Thread safe.
 */
final class Allocators {
  private static final int PAGE_BYTES = 8192;

  /** Arenas grow by 4 MiB. */
  private static final int MAX_ORDER = 9;

  /** Those that nobody's thread keeps may go. The last one first: it has what is needed. */
  private static final Deque<WeakReference<PooledByteBufAllocator>> IDLE = new ArrayDeque<>();

  private Allocators() {}

  /** One that no other has, until it is given back. */
  static PooledByteBufAllocator acquire(int eventLoops) {
    int arenas = Math.max(2, eventLoops);
    synchronized (IDLE) {
      for (Iterator<WeakReference<PooledByteBufAllocator>> i = IDLE.iterator(); i.hasNext(); ) {
        PooledByteBufAllocator idle = i.next().get();
        if (idle == null) {
          i.remove();
        } else if (idle.metric().numDirectArenas() == arenas && isUnused(idle)) {
          i.remove();
          return idle;
        }
      }
    }
    return new PooledByteBufAllocator(true, 1, arenas, PAGE_BYTES, MAX_ORDER, 64, 32, true);
  }

  /** Not if something was lost with an event loop, or is still held: it would be the next one's. */
  private static boolean isUnused(PooledByteBufAllocator idle) {
    return idle.pinnedDirectMemory() == 0 && idle.pinnedHeapMemory() == 0;
  }

  /** Its user is closed; once. */
  static void giveBack(PooledByteBufAllocator allocator) {
    synchronized (IDLE) {
      IDLE.addFirst(new WeakReference<>(allocator));
    }
  }

  /** Direct memory that an allocator holds. */
  static long directBytes(PooledByteBufAllocator allocator) {
    return allocator.metric().usedDirectMemory();
  }
}

package dev.penstock.transport.netty;

import io.netty.buffer.PooledByteBufAllocator;

/**
 * The one allocator of a transport: its own, so that what it holds can be told and is bounded by
 * its budgets.
 */
final class Allocators {
  private static final int PAGE_BYTES = 8192;

  /** Arenas grow by 4 MiB. */
  private static final int MAX_ORDER = 9;

  private Allocators() {}

  static PooledByteBufAllocator create(int eventLoops) {
    int arenas = Math.max(2, eventLoops);
    return new PooledByteBufAllocator(true, 1, arenas, PAGE_BYTES, MAX_ORDER, 64, 32, true);
  }

  /** Direct memory that an allocator holds. */
  static long directBytes(PooledByteBufAllocator allocator) {
    return allocator.metric().usedDirectMemory();
  }
}

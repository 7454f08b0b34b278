package dev.penstock.transport.netty;

/**
 * Sizes of chunks. All are size classes of Netty's pooled allocator (four per doubling), so that
 * what is charged to a budget is what the allocator gives.
 */
final class ChunkSizes {
  /** The largest chunk that ordinary traffic gets; only a larger message gets more. */
  static final int MAX = 256 * 1024;

  /** Where a channel's chunks start to grow from, if its floor allows that much. */
  static final int MAX_START = 4 * 1024;

  /** Room for the largest event that is always accepted: head and 256 bytes. */
  static final int EVENT = 320;

  /** The smallest floor: room for two chunks beside {@link #EVENT}. */
  static final int MIN_FLOOR = 1024;

  private static final int MIN_CLASS = 256;

  private ChunkSizes() {}

  /** The smallest size class that holds {@code bytes}. */
  static int holding(int bytes) {
    if (bytes <= MIN_CLASS) {
      return MIN_CLASS;
    }
    int step = step(bytes - 1);
    return Math.addExact(bytes, step - 1) & -step;
  }

  /** The largest size class within {@code bytes}, which are at least 256. */
  static int within(int bytes) {
    return bytes & -step(bytes);
  }

  /**
   * The first chunk of a channel: two of them fit into what the floor leaves beside the reserve for
   * an event.
   */
  static int start(int floor) {
    return within(Math.min((floor - EVENT) / 2, MAX_START));
  }

  private static int step(int bytes) {
    return Integer.highestOneBit(bytes) >>> 2;
  }
}

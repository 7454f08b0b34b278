package dev.penstock.transport.netty;

/** Who is charged for a chunk's memory. */
interface ChunkOwner {
  /**
   * The memory went back to the allocator. Called once per chunk, on whatever thread dropped the
   * last reference.
   *
   * @param bytes what had been charged
   */
  void chunkFreed(int bytes);
}

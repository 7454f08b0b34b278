package dev.penstock.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/**
 * A chunk's memory as Netty sees it. The log holds one reference until the chunk is acknowledged,
 * each write holds one through a retained slice; whoever drops the last gives the memory back and
 * discharges it, once.
 */
final class ChunkBuffer extends UnpooledDirectByteBuf {
  private final ByteBuf memory;
  private final ChunkOwner owner;
  private final int charged;

  /**
   * Takes over the caller's reference to {@code memory}.
   *
   * @param memory pooled memory
   * @param view all of it
   * @param owner told when it is freed
   */
  ChunkBuffer(ByteBuf memory, ByteBuffer view, ChunkOwner owner) {
    super(memory.alloc(), view, view.capacity());
    this.memory = memory;
    this.owner = owner;
    this.charged = view.capacity();
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    memory.release();
    owner.chunkFreed(charged);
  }
}

package dev.penstock.transport.netty;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gate memory: a buffer of its own for payloads that must not pin a receive buffer. Held by one
 * frame.
 */
final class CopiedMemory extends FrameMemory {
  private final AtomicLong charged;
  private final ByteBuf buffer;
  private final ByteBuffer root;

  /**
   * Takes a buffer.
   *
   * @param memory where it comes from
   * @param charged the gate's count of bytes
   * @param bytes least capacity
   */
  CopiedMemory(ReceiveMemory memory, AtomicLong charged, int bytes) {
    this.charged = charged;
    int size = ReceiveMemory.allocatedSize(bytes);
    this.buffer = memory.allocator().directBuffer(size, size);
    this.root = buffer.nioBuffer(0, size);
    charged.addAndGet(size);
  }

  int capacity() {
    return root.capacity();
  }

  void copyFrom(FramePayload payload, int length, int index) {
    copyFrom(payload.chunk().root(), payload.frameEnd() - length, length, index);
  }

  void copyFrom(ByteBuffer source, int offset, int length, int index) {
    root.put(index, source, offset, length);
  }

  @Override
  ByteBuffer root() {
    return root;
  }

  @Override
  void release() {
    charged.addAndGet(-root.capacity());
    buffer.release();
  }
}

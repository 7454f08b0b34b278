package dev.penstock.transport.netty;

import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a transport's receive buffers may take, beside the gates' budgets. Two levels against one
 * allowance: bytes of buffers that frames pin (above it frames are copied into gate memory, which
 * the sender's credit covers), and bytes of buffers altogether (above it connections get buffers of
 * the smallest size). So receive buffers never take more than the allowance and one smallest buffer
 * per connection.
 *
 * <p>Thread safe.
 */
final class ReceiveMemory {
  /**
   * Payloads up to this many bytes are copied: they would pin a buffer a thousand times their size.
   */
  static final int TINY_BYTES = 1024;

  static final long DEFAULT_ALLOWANCE = 16L << 20;

  private final ByteBufAllocator allocator;
  private final long allowance;
  private final AtomicLong pinned = new AtomicLong();
  private final AtomicLong buffers = new AtomicLong();

  ReceiveMemory(ByteBufAllocator allocator, long allowance) {
    this.allocator = allocator;
    this.allowance = allowance;
  }

  ByteBufAllocator allocator() {
    return allocator;
  }

  /**
   * Takes a buffer.
   *
   * @param least bytes that it must have
   * @param wanted bytes that it should have when the allowance has room
   */
  ReceiveChunk newChunk(int least, int wanted) {
    int size = wanted;
    if (buffers.addAndGet(wanted) > allowance && wanted > least) {
      buffers.addAndGet(least - wanted);
      size = least;
    }
    try {
      return new ReceiveChunk(this, allocator.directBuffer(size, size));
    } catch (OutOfMemoryError e) {
      freed(size);
      throw e;
    }
  }

  /** Whether one more buffer of this size fits the allowance. A hint. */
  boolean hasRoom(int bytes) {
    return buffers.get() + bytes <= allowance;
  }

  /** Whether frames pin half of the allowance. */
  boolean crowded() {
    return pinned.get() > allowance / 2;
  }

  void freed(int bytes) {
    buffers.addAndGet(-bytes);
  }

  boolean tryPin(int bytes) {
    if (pinned.addAndGet(bytes) > allowance) {
      pinned.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void unpin(int bytes) {
    pinned.addAndGet(-bytes);
  }

  /** Bytes of the receive buffers that frames lie in. */
  long pinnedBytes() {
    return pinned.get();
  }

  /** Bytes of all receive buffers. */
  long bufferBytes() {
    return buffers.get();
  }

  /**
   * What the pooled allocator takes for a buffer: four size classes to each doubling, at least 16
   * bytes.
   */
  static int allocatedSize(int bytes) {
    if (bytes <= 64) {
      return Math.max(16, bytes + 15 & -16);
    }
    int step = Integer.highestOneBit(bytes - 1) >>> 2;
    return bytes + step - 1 & -step;
  }
}

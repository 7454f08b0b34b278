package dev.penstock.transport.netty;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * One buffer that a socket reads into, held by its {@link ReceiveBuffer} while it is the current
 * one and by every frame whose payload was left in it. While frames pin it, all of it is charged to
 * the {@link ReceiveMemory}'s allowance.
 *
 * <p>Only the lane's thread pins; any thread lets go.
 */
final class ReceiveChunk extends FrameMemory {
  private static final VarHandle HOLDERS;

  static {
    try {
      HOLDERS = MethodHandles.lookup().findVarHandle(ReceiveChunk.class, "holders", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Set while this is the buffer that the socket reads into; the bits below count pins. */
  private static final int CURRENT = 1 << 30;

  private final ReceiveMemory memory;
  private final ByteBuf buffer;
  private final ByteBuffer root;
  private final ByteBuffer view;
  private final ByteBuffer payloadView;
  private final int capacity;

  @SuppressWarnings("unused") // through HOLDERS
  private volatile int holders = CURRENT;

  ReceiveChunk(ReceiveMemory memory, ByteBuf buffer) {
    this.memory = memory;
    this.buffer = buffer;
    this.capacity = buffer.capacity();
    this.root = buffer.nioBuffer(0, capacity);
    this.view = root.duplicate();
    this.payloadView = root.duplicate();
  }

  ByteBuf buffer() {
    return buffer;
  }

  int capacity() {
    return capacity;
  }

  /** For the decoder. Lane's thread. */
  ByteBuffer view() {
    return view;
  }

  /** For whoever handles a frame, to be moved at will. Lane's thread. */
  ByteBuffer payloadView() {
    return payloadView;
  }

  @Override
  ByteBuffer root() {
    return root;
  }

  /**
   * Whether no frame is left in it, so that it may be written from the start again. Lane's thread.
   */
  boolean idle() {
    // Acquire: what the last holder read happened before what the socket writes next.
    return pins((int) HOLDERS.getAcquire(this)) == 0;
  }

  /**
   * Holds the chunk for one frame. Lane's thread.
   *
   * @return false if the allowance has no room for it; the frame must be copied then
   */
  boolean pin() {
    boolean charged = false;
    if (idle()) {
      if (!memory.tryPin(capacity)) {
        return false;
      }
      charged = true;
    }
    int before = (int) HOLDERS.getAndAdd(this, 1);
    if (pins(before) == 0 && !charged && !memory.tryPin(capacity)) {
      // The last other frame let go, and its charge with it, between the two looks.
      HOLDERS.getAndAdd(this, -1);
      return false;
    }
    return true;
  }

  @Override
  void release() {
    int before = (int) HOLDERS.getAndAdd(this, -1);
    if (pins(before) < 1) {
      HOLDERS.getAndAdd(this, 1);
      throw new IllegalStateException("a receive buffer was released more often than pinned");
    }
    if (pins(before) == 1) {
      memory.unpin(capacity);
      if (before == 1) {
        free();
      }
    }
  }

  /**
   * The socket reads elsewhere from now on: freed when the last frame lets go. Lane's thread, once.
   */
  void retire() {
    int before = (int) HOLDERS.getAndAdd(this, -CURRENT);
    if (pins(before) == 0) {
      free();
    }
  }

  private void free() {
    memory.freed(capacity);
    buffer.release();
  }

  private static int pins(int holders) {
    return holders & CURRENT - 1;
  }
}

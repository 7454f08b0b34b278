package dev.penstock.transport.netty;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Where a {@link FrameWriter} finds the bytes of a payload. Called on the lane's loop. */
interface PayloadSource {
  /**
   * Copies bytes.
   *
   * @param position of the first
   * @param length how many
   * @param target gets them at its position, which moves
   */
  void copyPayload(long position, int length, ByteBuffer target);

  /**
   * Gives out bytes where they lie.
   *
   * @param position of the first
   * @param length how many
   * @param sink gets one or more buffers, in order
   */
  void slicePayload(long position, int length, Sink sink);

  /** What takes buffers. */
  @FunctionalInterface
  interface Sink {
    /**
     * Takes one.
     *
     * @param slice a reference that the sink releases
     */
    void slice(ByteBuf slice);
  }
}

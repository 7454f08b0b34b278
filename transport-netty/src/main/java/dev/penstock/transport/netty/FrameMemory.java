package dev.penstock.transport.netty;

import java.nio.ByteBuffer;

/**
 * Memory in which the payload of queued frames lies. Each frame holds it once and lets go of it
 * once, on the consumer's thread or on the lane's.
 */
abstract class FrameMemory {
  /**
   * All of the memory. Never moved, so that any thread can duplicate it.
   *
   * @return index 0 is where offsets of frames count from
   */
  abstract ByteBuffer root();

  /** One frame lets go. Any thread. */
  abstract void release();
}

package dev.penstock.transport.netty;

/** Where the payload of the DATA frame that is being handled lies: it ends where the frame ends. */
interface FramePayload {
  /**
   * The buffer with the frame.
   *
   * @return to be pinned by whoever keeps the payload
   */
  ReceiveChunk chunk();

  /**
   * Index in the chunk behind the payload's last byte.
   *
   * @return the payload starts its length before it
   */
  int frameEnd();
}

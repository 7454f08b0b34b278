package dev.penstock.transport.netty;

import dev.penstock.transport.protocol.FrameSink;

/**
 * What carries a lane's frames for the time being: a trusted connection, or the way inside the JVM.
 * On the lane's loop.
 */
interface LaneLink {
  /** Where the lane writes. */
  FrameSink sink();

  /** Whether another turn of frames would be taken now. */
  boolean isWritable();

  /** What was written goes out. */
  void endTurn();

  /** Bytes written altogether. */
  long bytesWritten();

  /** Bytes of them that nobody has taken yet. */
  long bytesPending();

  /** Bytes that came altogether. */
  long bytesRead();

  /** Gives the link's frames to a lane. */
  void carry(NettyLane lane);

  /** Puts the payload of the DATA frame that is being handled into its channel's queue. */
  void deliver(
      InboundChannel channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      int crc);

  /** The lane wants no more of it: it ends, and its end is not reported. */
  void abandon();

  /** As {@link #abandon}, but the peer is to hear what was written last. */
  default void leave() {
    abandon();
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.Frames;

/** Where a lane writes its frames: a connection's output, bound to one codec. */
public interface FrameSink {
  /**
   * The encoder of what goes out.
   *
   * @return the same object for the life of the connection
   */
  Frames frames();

  /**
   * Whether another frame may be written in this turn. At least one frame of any kind fits when
   * true.
   *
   * @return false when the lane must stop and wait for the next turn
   */
  boolean hasRoom();

  /**
   * Puts record bytes behind the header of the DATA frame just written.
   *
   * @param source where they lie; they stay until acknowledged and until the write that refers to
   *     them is done
   * @param position position of the first byte
   * @param length how many
   */
  void payload(RecordSource source, long position, int length);
}

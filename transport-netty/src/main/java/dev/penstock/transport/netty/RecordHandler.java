package dev.penstock.transport.netty;

import java.nio.ByteBuffer;

/** Takes what a {@link RecordCursor} finds, on the consumer's thread. */
interface RecordHandler {
  /**
   * A whole record.
   *
   * @param channel whose
   * @param kind as in {@link dev.penstock.transport.wire.Record}
   * @param sequence its number
   * @param bytes its bytes between position and limit, read-only, big-endian, borrowed until the
   *     method returns
   * @return false to be given nothing more in this poll
   */
  boolean onRecord(InboundChannel channel, int kind, long sequence, ByteBuffer bytes);

  /**
   * A piece of a record that was too large for one frame, when records are not assembled.
   *
   * @param channel whose
   * @param kind of the record
   * @param sequence the record's number
   * @param bytes as for {@link #onRecord}
   * @param offset where in the record they belong; 0 for the first piece
   * @param total the record's length; the piece with {@code offset + bytes.remaining() == total} is
   *     the last
   * @return false to be given nothing more in this poll
   */
  boolean onPiece(
      InboundChannel channel, int kind, long sequence, ByteBuffer bytes, int offset, int total);

  /**
   * The channel is over: nothing of it follows. Once per channel.
   *
   * @param channel which
   * @param ending how
   */
  void onEnding(InboundChannel channel, Ending ending);
}

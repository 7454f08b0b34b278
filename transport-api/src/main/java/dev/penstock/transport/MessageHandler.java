package dev.penstock.transport;

import java.nio.ByteBuffer;

/**
 * Takes what an {@link InputGate} received. Per producer, calls come in the order in which the
 * producer wrote.
 *
 * <p>Called on the thread that polls the gate, or, if the gate was opened with a handler on the
 * event loop, on that loop, where it must not block. Buffers are borrowed: valid until the method
 * returns, and not to be written to; their position and limit may be changed. A handler that throws
 * ends the poll with that exception; the message counts as taken.
 */
@FunctionalInterface
public interface MessageHandler {
  /**
   * A whole message.
   *
   * @param producer who wrote it
   * @param message its bytes from position to limit, big-endian; borrowed
   */
  void onMessage(int producer, ByteBuffer message);

  /**
   * Part of a message that came in several frames. Only called when the gate was opened with {@code
   * assemble(false)}.
   *
   * @param producer who wrote it
   * @param piece some bytes of the message; borrowed
   * @param remaining bytes of the message still to come after this piece; 0 for the last piece
   */
  default void onPiece(int producer, ByteBuffer piece, int remaining) {
    throw new UnsupportedOperationException(
        "a message came in pieces: implement onPiece, or open the gate with assemble(true)");
  }

  /**
   * An event, in order with the producer's messages.
   *
   * @param producer who wrote it
   * @param event its bytes; borrowed
   */
  default void onEvent(int producer, ByteBuffer event) {}

  /**
   * The producer has finished and everything of it has been taken.
   *
   * @param producer who
   */
  default void onEnd(int producer) {}

  /**
   * The channel from a producer failed; what it had sent and was not handed out is dropped. The
   * other producers go on.
   *
   * @param producer who
   * @param failure why; thrown out of the poll unless this method is overridden
   */
  default void onFailure(int producer, TransportException failure) {
    throw failure;
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import java.net.InetSocketAddress;

/** What a gate needs of its transport. Thread safe. */
interface GateHost {
  Node node();

  Gates gates();

  /** Opens a channel to a consumer at a node. */
  void openSend(OutgoingChannel channel, InetSocketAddress consumer);

  /** Opens a channel from a producer at a node. */
  void openReceive(IncomingChannel channel, InetSocketAddress producer);

  /** Runs something at a time, unless the transport is closed before. */
  void at(long nanoTime, Runnable task);

  /** Put together here: large messages. */
  Assembler assembler();

  /**
   * Throws on an event loop: what is waited for may be that loop's to bring about.
   *
   * @throws IllegalStateException on an event loop of this transport
   */
  void checkMayBlock();

  /**
   * Checks what an application gives a gate up with: it goes to the peer.
   *
   * @throws IllegalArgumentException for a code that is not an application's, or without a reason
   */
  static void checkAbort(ErrorCode code, String reason) {
    if (code != ErrorCode.CANCELLED && code != ErrorCode.APPLICATION_ERROR) {
      throw new IllegalArgumentException(
          "code: expected CANCELLED or APPLICATION_ERROR, got " + code);
    }
    if (reason == null) {
      throw new IllegalArgumentException("reason: expected a text, got null");
    }
  }

  /** The gate is over. */
  void forget(Object gate);
}

package dev.penstock.transport.netty;

import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.TransportException;
import java.nio.ByteBuffer;

/** Takes messages that begin with their number, and checks that each is the next. */
final class CountedMessages implements MessageHandler {
  private volatile long taken;
  private volatile TransportException failure;

  @Override
  public void onMessage(int producer, ByteBuffer message) {
    long number = message.getLong(message.position());
    if (number != taken) {
      throw new AssertionError("message " + number + " came, expected " + taken);
    }
    taken = number + 1;
  }

  @Override
  public void onFailure(int producer, TransportException why) {
    failure = why;
  }

  long taken() {
    return taken;
  }

  /** Why the channel failed; null if it did not. */
  TransportException failure() {
    return failure;
  }
}

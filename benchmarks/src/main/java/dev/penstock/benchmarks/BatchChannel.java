package dev.penstock.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A producer's way to one consumer that collects records and sends many of them at once. */
public interface BatchChannel {
  /**
   * Names the thread to wake when what it waits for is there.
   *
   * @param thread the producer's
   */
  void useFrom(Thread thread);

  /**
   * The buffer to put a record into. Sends what has been collected, and blocks for it, where there
   * is no room.
   *
   * @param bytes of the record with its length
   */
  ByteBuffer room(int bytes) throws IOException;

  /** Sends what has been collected. May block. */
  void send() throws IOException;

  /** Sends the rest, and blocks until the consumer has everything. */
  void end() throws IOException;
}

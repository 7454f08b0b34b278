package dev.penstock.benchmarks.spark;

import dev.penstock.benchmarks.BatchChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.network.client.TransportClient;

/**
 * One connection as its producer sees it: a ring of buffers, each free again when its message is
 * acknowledged.
 */
final class SparkChannel implements BatchChannel {
  private static final int SPINS = 50;

  private final TransportClient client;
  private final ByteBuffer[] ring = new ByteBuffer[SparkSystem.WINDOW];
  private ByteBuffer filling;
  private long sent;
  private volatile long acknowledged;
  private volatile Thread owner;
  private volatile Throwable failure;

  SparkChannel(TransportClient client, int bufferSize) {
    this.client = client;
    for (int i = 0; i < ring.length; i++) {
      ring[i] = ByteBuffer.allocateDirect(bufferSize);
    }
    filling = ring[0];
  }

  @Override
  public void useFrom(Thread thread) {
    owner = thread;
  }

  /** The buffer to put a record into, waiting for the window where a new one is needed. */
  @Override
  public ByteBuffer room(int bytes) throws IOException {
    if (filling.remaining() < bytes) {
      send();
    }
    return filling;
  }

  /** Sends what has been collected, then waits until the next buffer is free. */
  @Override
  public void send() throws IOException {
    if (filling.position() == 0) {
      return;
    }
    client.send(filling.flip());
    sent++;
    awaitAcknowledged(sent - SparkSystem.WINDOW + 1);
    filling = ring[(int) (sent % SparkSystem.WINDOW)].clear();
  }

  /** Ends the channel and waits until everything has arrived. */
  @Override
  public void end() throws IOException {
    send();
    client.send(ByteBuffer.allocate(0));
    awaitAcknowledged(sent);
  }

  private void awaitAcknowledged(long count) throws IOException {
    for (int spins = 0; acknowledged < count; spins++) {
      if (failure != null || !client.isActive()) {
        throw new IOException("the connection is gone", failure);
      }
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.park(this);
      }
    }
  }

  void acknowledged(long count) {
    acknowledged = count;
    LockSupport.unpark(owner);
  }

  void fail(Throwable cause) {
    failure = cause;
    LockSupport.unpark(owner);
  }
}

package dev.penstock.benchmarks.aeron;

import dev.penstock.benchmarks.Producer;
import java.io.IOException;

/** Puts records into the publications of its channels, one per consumer. */
final class AeronProducer implements Producer {
  private final AeronChannel[] channels;

  AeronProducer(AeronChannel[] channels) {
    this.channels = channels;
  }

  @Override
  public void send(int consumer, byte[] record) throws IOException {
    channels[consumer].put(record);
  }

  @Override
  public void flush() {
    for (AeronChannel channel : channels) {
      channel.commit();
    }
  }

  /** The publications stay open until the system is closed, for what is still under way. */
  @Override
  public void close() throws IOException {
    for (AeronChannel channel : channels) {
      channel.end();
    }
  }
}

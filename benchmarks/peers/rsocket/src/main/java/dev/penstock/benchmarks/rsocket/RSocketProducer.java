package dev.penstock.benchmarks.rsocket;

import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Workload;
import java.io.IOException;

/** Collects records into payloads, one stream per consumer. */
final class RSocketProducer implements Producer {
  private final RSocketChannel[] channels;

  RSocketProducer(RSocketChannel[] channels) {
    this.channels = channels;
  }

  void useFromCurrentThread() {
    for (RSocketChannel channel : channels) {
      channel.useFrom(Thread.currentThread());
    }
  }

  @Override
  public void send(int consumer, byte[] record) throws IOException {
    channels[consumer]
        .room(Workload.LENGTH_PREFIX + record.length)
        .putInt(record.length)
        .put(record);
  }

  @Override
  public void flush() throws IOException {
    for (RSocketChannel channel : channels) {
      channel.send();
    }
  }

  @Override
  public void close() throws IOException {
    for (RSocketChannel channel : channels) {
      channel.end();
    }
  }
}

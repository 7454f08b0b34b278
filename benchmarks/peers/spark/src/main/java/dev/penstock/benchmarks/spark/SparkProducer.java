package dev.penstock.benchmarks.spark;

import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Workload;
import java.io.IOException;

/** Collects records into one-way messages. */
final class SparkProducer implements Producer {
  private final SparkChannel[] channels;

  SparkProducer(SparkChannel[] channels) {
    this.channels = channels;
  }

  void useFromCurrentThread() {
    for (SparkChannel channel : channels) {
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
    for (SparkChannel channel : channels) {
      channel.send();
    }
  }

  @Override
  public void close() throws IOException {
    for (SparkChannel channel : channels) {
      channel.end();
    }
  }
}

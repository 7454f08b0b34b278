package dev.penstock.benchmarks;

import java.io.IOException;

/** Collects records into messages, with one channel per consumer. */
public final class BatchProducer implements Producer {
  private final BatchChannel[] channels;

  public BatchProducer(BatchChannel[] channels) {
    this.channels = channels;
  }

  public void useFromCurrentThread() {
    for (BatchChannel channel : channels) {
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
    for (BatchChannel channel : channels) {
      channel.send();
    }
  }

  @Override
  public void close() throws IOException {
    for (BatchChannel channel : channels) {
      channel.end();
    }
  }
}

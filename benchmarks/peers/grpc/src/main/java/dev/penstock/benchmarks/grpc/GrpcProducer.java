package dev.penstock.benchmarks.grpc;

import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Workload;
import java.io.IOException;

/** Collects records into messages, one stream per consumer. */
final class GrpcProducer implements Producer {
  private final GrpcChannel[] channels;

  GrpcProducer(GrpcChannel[] channels) {
    this.channels = channels;
  }

  void useFromCurrentThread() {
    for (GrpcChannel channel : channels) {
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
    for (GrpcChannel channel : channels) {
      channel.send();
    }
  }

  @Override
  public void close() throws IOException {
    for (GrpcChannel channel : channels) {
      channel.end();
    }
  }
}

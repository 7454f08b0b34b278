package dev.penstock.benchmarks.penstock;

import dev.penstock.benchmarks.RecordSink;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.TransportException;
import java.nio.ByteBuffer;

/**
 * Reads length and first eight bytes of each message: one message is one record. With a sink for
 * each producer, for on event loops several producers are handed out at the same time.
 */
final class RecordHandler implements MessageHandler {
  private final RecordSink[] sinkOf;
  private final Sinks sinks;

  RecordHandler(int consumer, int producers, Sinks sinks) {
    this.sinks = sinks;
    sinkOf = new RecordSink[producers];
    for (int producer = 0; producer < producers; producer++) {
      sinkOf[producer] = sinks.sink(consumer);
    }
  }

  @Override
  public void onMessage(int producer, ByteBuffer message) {
    sinkOf[producer].accept(message.remaining(), message.getLong(message.position()));
  }

  @Override
  public void onEnd(int producer) {
    sinks.ended(1);
  }

  @Override
  public void onFailure(int producer, TransportException failure) {
    sinks.failed(failure);
  }
}

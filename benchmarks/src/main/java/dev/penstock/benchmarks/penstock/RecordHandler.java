package dev.penstock.benchmarks.penstock;

import dev.penstock.benchmarks.RecordSink;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.TransportException;
import java.nio.ByteBuffer;

/** Reads length and first eight bytes of each message: one message is one record. */
final class RecordHandler implements MessageHandler {
  private final RecordSink sink;
  private final Sinks sinks;

  RecordHandler(RecordSink sink, Sinks sinks) {
    this.sink = sink;
    this.sinks = sinks;
  }

  @Override
  public void onMessage(int producer, ByteBuffer message) {
    sink.accept(message.remaining(), message.getLong(message.position()));
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

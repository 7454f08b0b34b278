package dev.penstock.benchmarks.aeron;

import dev.penstock.benchmarks.RecordSink;
import dev.penstock.benchmarks.Sinks;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/** A consumer: a thread that polls the subscription to which all producers send. */
final class Receiver implements FragmentHandler, Runnable {
  private static final int FRAGMENTS_PER_POLL = 16;

  private final Subscription subscription;
  private final RecordSink sink;
  private final Sinks sinks;
  private int open;
  private volatile boolean stopped;

  Receiver(Subscription subscription, int producers, RecordSink sink, Sinks sinks) {
    this.subscription = subscription;
    this.open = producers;
    this.sink = sink;
    this.sinks = sinks;
  }

  void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    IdleStrategy idle = AeronSystem.backOff();
    try {
      while (open > 0 && !stopped) {
        idle.idle(subscription.poll(this, FRAGMENTS_PER_POLL));
      }
    } catch (RuntimeException e) {
      sinks.failed(e);
    }
  }

  @Override
  public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
    int end = offset + length;
    int position = offset;
    while (end - position >= Integer.BYTES) {
      int size = buffer.getInt(position, ByteOrder.BIG_ENDIAN);
      if (size == AeronChannel.END_OF_CLAIM) {
        return;
      }
      if (size == AeronChannel.END_OF_CHANNEL) {
        open--;
        sinks.ended(1);
        return;
      }
      position += Integer.BYTES;
      sink.accept(size, buffer.getLong(position, ByteOrder.BIG_ENDIAN));
      position += size;
    }
  }
}

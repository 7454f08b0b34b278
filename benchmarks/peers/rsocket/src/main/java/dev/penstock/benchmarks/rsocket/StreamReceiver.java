package dev.penstock.benchmarks.rsocket;

import dev.penstock.benchmarks.RecordParser;
import dev.penstock.benchmarks.Sinks;
import io.netty.buffer.ByteBuf;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.util.ByteBufPayload;
import java.nio.ByteBuffer;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** The consumer's end of one stream, on an event loop; requests again what it has taken. */
final class StreamReceiver implements Subscriber<Payload> {
  private static final int REQUEST = 64;
  private static final int REQUEST_AGAIN = REQUEST / 2;

  private final RSocket producer;
  private final int consumer;
  private final Sinks sinks;
  private final RecordParser parser;
  private Subscription subscription;
  private int taken;

  private StreamReceiver(RSocket producer, int consumer, Sinks sinks) {
    this.producer = producer;
    this.consumer = consumer;
    this.sinks = sinks;
    this.parser = new RecordParser(sinks.sink(consumer));
  }

  static void open(RSocket producer, int consumer, Sinks sinks) {
    producer
        .requestStream(number(consumer))
        .subscribe(new StreamReceiver(producer, consumer, sinks));
  }

  private static Payload number(int consumer) {
    return ByteBufPayload.create(ByteBuffer.allocate(Integer.BYTES).putInt(consumer).flip());
  }

  @Override
  public void onSubscribe(Subscription toProducer) {
    subscription = toProducer;
    toProducer.request(REQUEST);
  }

  @Override
  public void onNext(Payload payload) {
    try {
      ByteBuf data = payload.data();
      parser.parse(data.internalNioBuffer(data.readerIndex(), data.readableBytes()));
    } finally {
      payload.release();
    }
    taken++;
    if (taken == REQUEST_AGAIN) {
      taken = 0;
      subscription.request(REQUEST_AGAIN);
    }
  }

  @Override
  public void onError(Throwable cause) {
    sinks.failed(cause);
  }

  @Override
  public void onComplete() {
    sinks.ended(1);
    producer.fireAndForget(number(consumer)).subscribe();
  }
}

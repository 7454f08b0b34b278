package dev.penstock.benchmarks.rsocket;

import dev.penstock.benchmarks.BatchChannel;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.rsocket.Payload;
import io.rsocket.util.ByteBufPayload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The producer's end of one stream: a publisher whose signals come from the producer's thread. It
 * publishes what the consumer has requested, and parks else.
 */
final class RSocketChannel implements BatchChannel, Publisher<Payload>, Subscription {
  private final int batchSize;
  private final AtomicLong requested = new AtomicLong();
  private ByteBuf batch;
  private ByteBuffer view;
  private volatile Subscriber<? super Payload> subscriber;
  private volatile Thread owner;
  private volatile boolean arrived;
  private volatile Throwable failure;

  RSocketChannel(int batchSize) {
    this.batchSize = batchSize;
  }

  @Override
  public void useFrom(Thread thread) {
    owner = thread;
  }

  @Override
  public void subscribe(Subscriber<? super Payload> consumer) {
    subscriber = consumer;
    consumer.onSubscribe(this);
  }

  @Override
  public void request(long count) {
    requested.addAndGet(count);
    LockSupport.unpark(owner);
  }

  @Override
  public void cancel() {
    fail(new IOException("the consumer has cancelled its stream"));
  }

  /** The consumer has everything. */
  void arrived() {
    arrived = true;
    LockSupport.unpark(owner);
  }

  void fail(Throwable cause) {
    failure = cause;
    LockSupport.unpark(owner);
  }

  /** The buffer to put a record into, sending what has been collected where there is no room. */
  @Override
  public ByteBuffer room(int bytes) throws IOException {
    if (view == null || view.remaining() < bytes) {
      send();
      batch = PooledByteBufAllocator.DEFAULT.directBuffer(batchSize, batchSize);
      view = batch.internalNioBuffer(0, batchSize);
    }
    return view;
  }

  @Override
  public void send() throws IOException {
    if (batch == null) {
      return;
    }
    while (requested.get() == 0) {
      check();
      LockSupport.park(this);
    }
    requested.decrementAndGet();
    batch.writerIndex(batchSize - view.remaining());
    subscriber.onNext(ByteBufPayload.create(batch));
    batch = null;
    view = null;
  }

  /** Ends the stream, and waits until the consumer has everything. */
  @Override
  public void end() throws IOException {
    send();
    while (subscriber == null) {
      check();
      LockSupport.park(this);
    }
    subscriber.onComplete();
    while (!arrived) {
      check();
      LockSupport.park(this);
    }
  }

  private void check() throws IOException {
    if (failure != null) {
      throw new IOException("the stream is gone", failure);
    }
  }
}

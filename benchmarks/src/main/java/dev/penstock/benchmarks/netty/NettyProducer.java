package dev.penstock.benchmarks.netty;

import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Workload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/** Fills one pooled buffer per connection and hands it to the event loop. */
final class NettyProducer implements Producer {
  private final Channel[] channels;
  private final ByteBuf[] buffers;
  private final ByteBuffer[] views;
  private volatile Thread owner;
  private volatile Throwable failure;

  NettyProducer(int consumers) {
    channels = new Channel[consumers];
    buffers = new ByteBuf[consumers];
    views = new ByteBuffer[consumers];
  }

  /** Takes over a new connection and greets the other side with the number of the consumer. */
  void attach(int consumer, Channel channel) throws InterruptedException {
    channels[consumer] = channel;
    channel.writeAndFlush(channel.alloc().directBuffer(Integer.BYTES).writeInt(consumer)).sync();
  }

  void useFromCurrentThread() {
    owner = Thread.currentThread();
  }

  void wake() {
    LockSupport.unpark(owner);
  }

  void fail(Throwable cause) {
    failure = cause;
    wake();
  }

  @Override
  public void send(int consumer, byte[] record) throws IOException {
    ByteBuffer view = views[consumer];
    if (view == null || view.remaining() < Workload.LENGTH_PREFIX + record.length) {
      view = nextBuffer(consumer, Workload.LENGTH_PREFIX + record.length);
    }
    view.putInt(record.length).put(record);
  }

  private ByteBuffer nextBuffer(int consumer, int needed) throws IOException {
    hand(consumer);
    Channel channel = channels[consumer];
    while (!channel.isWritable()) {
      check(channel);
      LockSupport.park(this);
    }
    int capacity = Math.max(Workload.FRAME_SIZE, needed);
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(capacity, capacity);
    buffers[consumer] = buffer;
    views[consumer] = buffer.internalNioBuffer(0, capacity);
    return views[consumer];
  }

  private void check(Channel channel) throws IOException {
    if (failure != null || !channel.isActive()) {
      throw new IOException("the connection is gone", failure);
    }
  }

  private void hand(int consumer) {
    ByteBuf buffer = buffers[consumer];
    if (buffer != null) {
      buffer.writerIndex(buffer.capacity() - views[consumer].remaining());
      // A void promise allocates nothing; a failed write reaches WritabilityHandler as an
      // exception.
      ChannelFuture unused =
          channels[consumer].writeAndFlush(buffer, channels[consumer].voidPromise());
      buffers[consumer] = null;
      views[consumer] = null;
    }
  }

  @Override
  public void flush() {
    for (int consumer = 0; consumer < channels.length; consumer++) {
      hand(consumer);
    }
  }

  @Override
  public void close() {
    flush();
    for (Channel channel : channels) {
      // Closing drops what is still queued, so wait until the socket has taken everything.
      channel.writeAndFlush(Unpooled.EMPTY_BUFFER).syncUninterruptibly();
      channel.close().syncUninterruptibly();
    }
  }
}

package dev.penstock.benchmarks.netty;

import dev.penstock.benchmarks.MessageSystem;
import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.benchmarks.Workload;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.Version;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;

/**
 * Netty channels and nothing more, one connection per channel: the application thread fills pooled
 * buffers and hands each to the event loop when it is full; the consumer reads in the channel
 * handler.
 */
public final class NettySystem implements MessageSystem {
  private static final int HIGH_WATER_MARK = 1024 * 1024;

  private final LoopKind kind;
  private final int readSize;
  private final EventLoopGroup group;
  private Channel server;
  private NettyProducer[] producers;

  public NettySystem(Parameters parameters) {
    kind = LoopKind.valueOf(parameters.get("transport", "epoll").toUpperCase(Locale.ROOT));
    readSize = parameters.getInt("read", 64 * 1024);
    group = new MultiThreadIoEventLoopGroup(parameters.getInt("loops", 1), kind.newFactory());
  }

  @Override
  public String listen(Workload workload, Sinks sinks) throws InterruptedException {
    server =
        new ServerBootstrap()
            .group(group)
            .channel(kind.serverType())
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(readSize))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new ReceivingHandler(sinks));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
    return String.valueOf(((InetSocketAddress) server.localAddress()).getPort());
  }

  @Override
  public void connect(Workload workload, String endpoint) throws InterruptedException {
    producers = new NettyProducer[workload.producers()];
    for (int i = 0; i < producers.length; i++) {
      producers[i] = new NettyProducer(workload.consumers());
      for (int consumer = 0; consumer < workload.consumers(); consumer++) {
        producers[i].attach(consumer, connect(producers[i], Integer.parseInt(endpoint)));
      }
    }
  }

  private Channel connect(NettyProducer producer, int port) throws InterruptedException {
    return new Bootstrap()
        .group(group)
        .channel(kind.type())
        .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(
            ChannelOption.WRITE_BUFFER_WATER_MARK,
            new WriteBufferWaterMark(HIGH_WATER_MARK / 2, HIGH_WATER_MARK))
        .handler(new WritabilityHandler(producer))
        .connect(InetAddress.getLoopbackAddress(), port)
        .sync()
        .channel();
  }

  @Override
  public Producer producer(int index) {
    producers[index].useFromCurrentThread();
    return producers[index];
  }

  @Override
  public String version() {
    return Version.identify().get("netty-buffer").artifactVersion();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close().syncUninterruptibly();
    }
    group.shutdownGracefully().syncUninterruptibly();
  }
}

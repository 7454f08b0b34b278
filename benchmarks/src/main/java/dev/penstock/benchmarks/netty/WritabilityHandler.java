package dev.penstock.benchmarks.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Wakes the producer when its channel can take more, and tells it of a failure. */
final class WritabilityHandler extends ChannelInboundHandlerAdapter {
  private final NettyProducer producer;

  WritabilityHandler(NettyProducer producer) {
    this.producer = producer;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      producer.wake();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    producer.fail(cause);
  }
}

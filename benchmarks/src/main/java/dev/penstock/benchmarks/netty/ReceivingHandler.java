package dev.penstock.benchmarks.netty;

import dev.penstock.benchmarks.RecordParser;
import dev.penstock.benchmarks.Sinks;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.EOFException;

/** Reads records on the event loop, out of whatever the channel has received. */
final class ReceivingHandler extends ChannelInboundHandlerAdapter {
  private final Sinks sinks;
  private RecordParser parser;

  ReceivingHandler(Sinks sinks) {
    this.sinks = sinks;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf buffer = (ByteBuf) message;
    try {
      if (parser == null) {
        // The first write of a connection is larger than its four-byte greeting only when records
        // follow it.
        parser = new RecordParser(sinks.sink(buffer.readInt()));
      }
      parser.parse(buffer.internalNioBuffer(buffer.readerIndex(), buffer.readableBytes()));
    } finally {
      buffer.release();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (parser != null && parser.atBoundary()) {
      sinks.ended(1);
    } else {
      sinks.failed(new EOFException("the connection ended inside a record"));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    sinks.failed(cause);
  }
}

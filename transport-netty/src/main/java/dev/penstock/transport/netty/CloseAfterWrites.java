package dev.penstock.transport.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.TimeUnit;

/**
 * For io_uring, which writes behind the caller's back, and where a close cancels what is on its
 * way: lets that out first, so that the peer hears why. Not for long: the socket may be full.
 */
final class CloseAfterWrites extends ChannelOutboundHandlerAdapter {
  private static final long PATIENCE_MILLIS = 500;

  private boolean waiting;
  private boolean closed;

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (waiting && !closed) {
      ctx.channel().closeFuture().addListener(done -> promise.trySuccess());
      return;
    }
    ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
    if (closed || buffer == null || buffer.totalPendingWriteBytes() == 0) {
      var unused = ctx.close(promise);
      return;
    }
    waiting = true;
    var patience =
        ctx.executor()
            .schedule(() -> closeOnce(ctx, promise), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            written -> {
              patience.cancel(false);
              closeOnce(ctx, promise);
            });
  }

  private void closeOnce(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (!closed) {
      closed = true;
      var unused = ctx.close(promise);
    }
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.protocol.FrameSink;
import dev.penstock.transport.protocol.RecordSource;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.WireLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;

/**
 * A connection's output: frames are encoded one behind the other into pooled memory, small payloads
 * are copied behind their headers, so that many small frames are one buffer; large payloads go out
 * as slices of the log's chunks.
 *
 * <p>One per connection, on its event loop. A turn is any number of frames while {@link #hasRoom},
 * then {@link #endTurn}. The slices hold references to the chunks, and Netty releases each once,
 * when it is written or the connection fails.
 */
final class FrameWriter implements FrameSink {
  /**
   * Payloads up to this are copied: cheaper than a buffer of their own in Netty and in the kernel.
   */
  static final int COPY_LIMIT = 2048;

  private static final int MEMORY_BYTES = 16 * 1024;
  private static final int FRAME_ROOM = WireLimits.MAX_HEADER_BYTES + COPY_LIMIT;

  private final ChannelHandlerContext context;
  private final FrameEncoder encoder;
  private final int maxPayloads;
  private final int maxBytes;
  private final PayloadSource.Sink toSocket = this::write;

  private ByteBuf memory;
  private ByteBuffer target;

  /** Up to where {@link #memory} was handed to Netty. */
  private int handedOver;

  // Of this turn.
  private int payloads;
  private int bytes;
  private boolean wrote;
  private long bytesWritten;

  /**
   * Creates one for a connection that is up.
   *
   * @param context of the handler that writes
   * @param encoder of the connection's codec; used by this alone
   * @param maxPayloads most DATA frames in a turn
   * @param maxBytes about how many bytes a turn may have
   */
  FrameWriter(ChannelHandlerContext context, FrameEncoder encoder, int maxPayloads, int maxBytes) {
    this.context = context;
    this.encoder = encoder;
    this.maxPayloads = maxPayloads;
    this.maxBytes = maxBytes;
    renew();
  }

  @Override
  public Frames frames() {
    return encoder;
  }

  @Override
  public boolean hasRoom() {
    if (payloads >= maxPayloads
        || bytes + target.position() - handedOver >= maxBytes
        || !context.channel().isWritable()) {
      return false;
    }
    if (target.remaining() < FRAME_ROOM) {
      handOver();
      rewindOrRenew();
    }
    return true;
  }

  @Override
  public void payload(RecordSource source, long position, int length) {
    PayloadSource payload = (PayloadSource) source;
    payloads++;
    if (length <= COPY_LIMIT) {
      payload.copyPayload(position, length, target);
    } else {
      handOver();
      payload.slicePayload(position, length, toSocket);
    }
  }

  /**
   * Hands what was written to the socket and starts a new turn.
   *
   * @return whether there was anything
   */
  boolean endTurn() {
    handOver();
    boolean any = wrote;
    if (any) {
      context.flush();
    }
    payloads = 0;
    bytes = 0;
    wrote = false;
    if (memory.refCnt() == 1) {
      rewind();
    }
    return any;
  }

  /** Bytes handed to Netty altogether. */
  long bytesWritten() {
    return bytesWritten;
  }

  /** The connection is over: frees the memory. What Netty holds is released by Netty. */
  void close() {
    if (memory != null) {
      memory.release();
      memory = null;
      target = null;
    }
  }

  private void handOver() {
    int length = target.position() - handedOver;
    if (length > 0) {
      ByteBuf slice = memory.retainedSlice(handedOver, length);
      handedOver = target.position();
      write(slice);
    }
  }

  private void write(ByteBuf slice) {
    bytes += slice.readableBytes();
    bytesWritten += slice.readableBytes();
    wrote = true;
    // The void promise costs no object per write; a failure comes as an exception of the pipeline.
    var unused = context.write(slice, context.voidPromise());
  }

  private void rewindOrRenew() {
    if (memory.refCnt() == 1) {
      rewind();
    } else {
      memory.release();
      renew();
    }
  }

  private void rewind() {
    target.clear();
    handedOver = 0;
  }

  private void renew() {
    memory = context.alloc().directBuffer(MEMORY_BYTES, MEMORY_BYTES);
    target = memory.nioBuffer(0, MEMORY_BYTES);
    handedOver = 0;
    encoder.bind(target);
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireCodec;
import dev.penstock.transport.wire.WireLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;

/**
 * Cuts a connection's bytes into frames where they lie and has the codec read each one into a
 * {@link Frames}. Lengths are checked before anything is buffered for them. Payload bytes are not
 * looked at: while {@link Frames#data} runs, they are the last bytes of the current frame ({@link
 * #chunk}, {@link #frameEnd}).
 *
 * <p>The first thing that is wrong ends the reading: it is reported once and what follows is
 * dropped, until the listener closes the connection.
 *
 * <p>Confined to the connection's event loop.
 */
final class FrameReader extends ChannelInboundHandlerAdapter implements FramePayload {
  /** Whose bytes come in. */
  enum Source {
    /** The socket's: it reads straight into the buffer. */
    SOCKET,
    /** Those of a handler before this one, such as TLS: they are copied into the buffer. */
    HANDLER
  }

  /**
   * What the connection's owner is told, besides frames. Each of the first three at most once, and
   * only one of them.
   */
  interface Listener {
    /**
     * The bytes are no frame, or a damaged one: the connection has to be broken.
     *
     * @param cause what was expected and what came
     */
    void onMalformed(MalformedFrameException cause);

    /**
     * A frame is longer than it may be.
     *
     * @param length what it announces
     * @param limit what was allowed
     */
    void onTooLarge(long length, int limit);

    /**
     * The peer speaks a codec that is not configured.
     *
     * @param expected encoding type of the codec in use
     * @param actual encoding type of the frame
     */
    void onForeignEncoding(int expected, int actual);

    /** Bytes came; {@link #onReadTurnEnd} follows when there are no more for now. */
    void onReadTurnBegin();

    /** The peer lives. */
    void onBytes();

    /** No more bytes for now: acknowledge what was received. */
    void onReadTurnEnd();
  }

  /** So many bytes of an unfinished frame are as good as a frame. */
  private static final int LIFE_BYTES = 4096;

  private final WireCodec codec;
  private final FrameDecoder decoder;
  private final Frames frames;
  private final Listener listener;
  private final ReceiveBuffer buffer;
  private final Source source;

  /** Bytes that may still come before {@link #trust}; not limited after it. */
  private int untrustedBytes = WireLimits.MAX_HANDSHAKE_BYTES;

  private int maxFrameLength;
  private boolean trusted;
  private boolean parsing;
  private boolean broken;
  private boolean removed;
  private int frameEnd;
  private boolean paused;
  private long bytesRead;
  private int trickled;

  FrameReader(
      WireCodec codec, Frames frames, Listener listener, ReceiveBuffer buffer, Source source) {
    this.codec = codec;
    this.decoder = codec.newDecoder();
    this.frames = frames;
    this.listener = listener;
    this.buffer = buffer;
    this.source = source;
  }

  /**
   * The peer has proved who it is: from the next frame on the agreed maximum holds instead of
   * {@value WireLimits#MAX_HANDSHAKE_BYTES} bytes altogether. May be called while a frame is being
   * handled, so that frames which came behind the proof in the same read are taken.
   *
   * @param frameLength the longest frame, header and payload
   */
  void trust(int frameLength) {
    trusted = true;
    maxFrameLength = frameLength;
    buffer.expectTraffic();
  }

  /** Leaves what comes in the buffer; the caller has switched reading off. */
  void pause() {
    paused = true;
  }

  /** Goes on after {@link #pause}, perhaps on another event loop. */
  void resume() {
    paused = false;
    parse();
  }

  /** Bytes that came altogether; behind TLS after it. */
  long bytesRead() {
    return bytesRead;
  }

  /** Drops what is there and what comes. */
  void stop() {
    broken = true;
  }

  @Override
  public ReceiveChunk chunk() {
    return buffer.chunk();
  }

  @Override
  public int frameEnd() {
    return frameEnd;
  }

  @Override
  @SuppressWarnings("deprecation")
  public void handlerAdded(ChannelHandlerContext ctx) {
    if (source == Source.SOCKET) {
      ctx.channel().config().setRecvByteBufAllocator(buffer);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    removed = true;
    broken = true;
    if (!parsing) {
      buffer.release();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    listener.onReadTurnBegin();
    bytesRead += bytes.readableBytes();
    if (isLife(bytes.readableBytes())) {
      listener.onBytes();
    }
    if (buffer.isRead(bytes)) {
      buffer.endRead(bytes);
      parse();
      return;
    }
    try {
      if (!broken && buffer.refused() != null) {
        broken = true;
        throw buffer.refused();
      }
      while (!broken && bytes.isReadable()) {
        buffer.append(bytes);
        parse();
      }
    } finally {
      bytes.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    listener.onReadTurnEnd();
    ctx.fireChannelReadComplete();
  }

  /**
   * Whether what came shows that the peer lives. A trickle into a frame that does not end does not:
   * its length may be damaged, and then the peer's signs of life disappear in it.
   */
  private boolean isLife(int length) {
    trickled = buffer.completes(length) ? LIFE_BYTES : trickled + length;
    if (trickled < LIFE_BYTES) {
      return false;
    }
    trickled = 0;
    return true;
  }

  private void parse() {
    parsing = true;
    try {
      while (!broken && !paused && next()) {
        // Each frame may change the limit or end the reading.
      }
    } catch (RuntimeException | Error e) {
      broken = true;
      throw e;
    } finally {
      parsing = false;
      if (removed) {
        buffer.release();
      } else if (broken) {
        buffer.parsedTo(buffer.start() + buffer.available());
      }
    }
  }

  /** Handles one frame if it is there as a whole. */
  private boolean next() {
    int available = buffer.available();
    if (available < Sofh.LENGTH) {
      return false;
    }
    int start = buffer.start();
    ByteBuffer view = buffer.view();
    if (!checkHeader(view, start)) {
      return false;
    }
    int length = (int) Sofh.frameLength(view, start);
    if (available < length) {
      buffer.expect(length);
      return false;
    }
    untrustedBytes -= trusted ? 0 : length;
    frameEnd = start + length;
    try {
      decoder.decode(view, start, length, frames);
    } catch (MalformedFrameException e) {
      broken = true;
      listener.onMalformed(e);
      return false;
    }
    buffer.parsedTo(frameEnd);
    return true;
  }

  private boolean checkHeader(ByteBuffer view, int start) {
    int type = Sofh.encodingType(view, start);
    long length = Sofh.frameLength(view, start);
    int limit = trusted ? maxFrameLength : untrustedBytes;
    if (type != codec.encodingType()) {
      broken = true;
      listener.onForeignEncoding(codec.encodingType(), type);
    } else if (length > limit) {
      broken = true;
      listener.onTooLarge(length, limit);
    } else if (length <= Sofh.LENGTH) {
      broken = true;
      listener.onMalformed(
          new MalformedFrameException(
              "a frame of " + length + " bytes, expected more than the header's " + Sofh.LENGTH));
    }
    return !broken;
  }
}

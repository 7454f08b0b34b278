package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.AcceptAttempt;
import dev.penstock.transport.protocol.AcceptorHandshake;
import dev.penstock.transport.protocol.DialerHandshake;
import dev.penstock.transport.protocol.FrameSink;
import dev.penstock.transport.protocol.HandshakeOutcome;
import dev.penstock.transport.protocol.Trust;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Octets;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * One TCP connection: TLS and the handshake under a deadline, then the frames of the lane that it
 * carries.
 *
 * <p>Confined to its channel's event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter
    implements FrameReader.Listener, LaneLink {
  private static final int FRAMES_PER_TURN = 64;
  private static final int BYTES_PER_TURN = 256 * 1024;
  private static final int RECEIVE_BUFFER_BYTES = 1 << 20;

  /** How long a peer has to hear why, and to close by itself. */
  static final long LINGER_MILLIS = 500;

  /** What a connection belongs to. */
  interface Owner {
    /**
     * Begins the handshake.
     *
     * @param own hash of the certificate that this side showed, or empty
     * @param peer hash of the certificate that the peer showed, or empty
     * @return the attempt: a {@link dev.penstock.transport.protocol.DialAttempt} or {@link
     *     AcceptAttempt}
     */
    Handshaking begin(Octets own, Octets peer);

    /**
     * Both proofs held.
     *
     * @param connection this
     * @param trust what was established
     */
    void trusted(Connection connection, Trust trust);

    /**
     * The connection ended before there was trust.
     *
     * @param refusal why
     */
    void refused(HandshakeOutcome.Refused refusal);
  }

  /** A handshake machine of either side. */
  record Handshaking(DialerHandshake dialer, AcceptorHandshake acceptor) {
    HandshakeOutcome outcome() {
      return dialer != null ? dialer.outcome() : acceptor.outcome();
    }
  }

  private final Node node;
  private final Owner owner;
  private final FrameRouter router = new FrameRouter();
  private final FrameReader reader;
  private Handshaking handshaking;
  private ChannelHandlerContext context;
  private FrameWriter writer;
  private NettyLane lane;
  private Future<?> deadline;
  private boolean settled;
  private boolean over;
  private SocketAddress peer;

  Connection(Node node, Owner owner) {
    this.node = node;
    this.owner = owner;
    this.reader =
        new FrameReader(
            node.codec(),
            router,
            this,
            new ReceiveBuffer(node.receiveMemory(), RECEIVE_BUFFER_BYTES),
            node.tls() == null ? FrameReader.Source.SOCKET : FrameReader.Source.HANDLER);
  }

  /** By name: an application's Netty may come without io_uring, as Spark's does. */
  private static boolean isIoUring(Channel channel) {
    return channel.getClass().getName().startsWith("io.netty.channel.uring.");
  }

  /** Puts the connection into a new channel. */
  void install(Channel channel, Supplier<SslHandler> ssl) {
    if (isIoUring(channel)) {
      channel.pipeline().addLast(new CloseAfterWrites());
    }
    if (node.tls() != null) {
      channel.pipeline().addLast(ssl.get());
    }
    channel.pipeline().addLast(reader, this);
  }

  // --- Pipeline

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    if (added.channel().isActive()) {
      start();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    start();
    ctx.fireChannelActive();
  }

  private void start() {
    if (deadline != null || settled) {
      return;
    }
    peer = context.channel().remoteAddress();
    long millis = node.options().handshakeTimeout().toMillis();
    deadline =
        context
            .executor()
            .schedule(
                () ->
                    refuse(
                        ErrorCode.DEADLINE_EXCEEDED,
                        "no trust within " + millis + " ms (option handshakeTimeout)",
                        true),
                millis,
                TimeUnit.MILLISECONDS);
    if (node.tls() == null) {
      begin(Octets.EMPTY, Octets.EMPTY);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent tls) {
      if (tls.isSuccess()) {
        SSLSession session = ctx.pipeline().get(SslHandler.class).engine().getSession();
        begin(Tls.ownCertificate(session), Tls.peerCertificate(session));
      } else {
        tlsFailed(tls.cause());
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  private void tlsFailed(Throwable cause) {
    ErrorCode code =
        Tls.isVerdict(cause) ? ErrorCode.AUTHENTICATION_FAILED : ErrorCode.PEER_UNREACHABLE;
    refuse(code, "TLS: " + cause, !Tls.isFinal(cause));
  }

  private void begin(Octets own, Octets peerCertificate) {
    if (handshaking != null || settled) {
      return;
    }
    writer = new FrameWriter(context, node.codec().newEncoder(), FRAMES_PER_TURN, BYTES_PER_TURN);
    handshaking = owner.begin(own, peerCertificate);
    if (handshaking.dialer() != null) {
      router.toHandshake(handshaking.dialer(), this::afterHandshakeFrame);
      handshaking.dialer().start(writer.frames());
    } else {
      router.toHandshake(handshaking.acceptor(), this::afterHandshakeFrame);
      handshaking.acceptor().start(writer.frames());
    }
    writer.endTurn();
    afterHandshakeFrame();
  }

  private void afterHandshakeFrame() {
    if (settled) {
      return;
    }
    HandshakeOutcome outcome = handshaking.outcome();
    if (outcome instanceof HandshakeOutcome.Trusted trusted) {
      settle();
      reader.trust(trusted.trust().maxFrameLength());
      writer.endTurn();
      owner.trusted(this, trusted.trust());
    } else if (outcome instanceof HandshakeOutcome.Refused refusal) {
      settle();
      writer.endTurn();
      reader.stop();
      owner.refused(refusal);
      closeWhenHeard();
    }
  }

  /** Closes so that the peer reads why: a socket closed with unread bytes takes that along. */
  private void closeWhenHeard() {
    if (context.channel() instanceof DuplexChannel duplex) {
      SslHandler ssl = context.pipeline().get(SslHandler.class);
      ChannelFuture said =
          ssl == null
              ? context.writeAndFlush(Unpooled.EMPTY_BUFFER) // behind what is on its way
              : ssl.closeOutbound();
      said.addListener(
          written -> {
            var unused = duplex.shutdownOutput();
          });
      var unusedTimer =
          context.executor().schedule(this::close, LINGER_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      close();
    }
  }

  private void settle() {
    settled = true;
    deadline.cancel(false);
  }

  private void refuse(ErrorCode code, String text, boolean retryable) {
    if (!settled) {
      settled = true;
      if (deadline != null) {
        deadline.cancel(false);
      }
      owner.refused(new HandshakeOutcome.Refused(code, text, retryable, false));
    }
    close();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (lane != null && ctx.channel().isWritable()) {
      lane.turn();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    over = true;
    lost(ErrorCode.PEER_UNREACHABLE, "the connection was closed");
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!settled && cause.getCause() instanceof SSLException alert) {
      tlsFailed(alert); // TLS 1.3: the peer's verdict on this side's certificate comes late
      return;
    }
    boolean io =
        cause instanceof java.io.IOException
            || cause instanceof io.netty.handler.codec.DecoderException;
    lost(io ? ErrorCode.PEER_UNREACHABLE : ownFault(cause), String.valueOf(cause));
    if (!io) {
      Log.LOG.error("connection to {} failed", peer, cause);
    }
    close();
  }

  private static ErrorCode ownFault(Throwable cause) {
    return cause instanceof OutOfMemoryError ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL;
  }

  private void lost(ErrorCode code, String text) {
    if (!settled) {
      refuse(code, text, true);
    } else if (lane != null) {
      NettyLane carried = lane;
      lane = null;
      carried.connectionLost(this, code, text);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    over = true;
    if (writer != null) {
      writer.close();
    }
  }

  // --- FrameReader.Listener

  @Override
  public void onBytes() {
    if (lane != null) {
      lane.bytesRead();
    }
  }

  @Override
  public void onMalformed(MalformedFrameException cause) {
    broken(ErrorCode.PROTOCOL_VIOLATION, cause.getMessage());
  }

  @Override
  public void onTooLarge(long length, int limit) {
    broken(
        ErrorCode.FRAME_TOO_LARGE,
        "a frame of " + length + " bytes, at most " + limit + " allowed (option maxFrameLength)");
  }

  @Override
  public void onForeignEncoding(int expected, int actual) {
    String text =
        String.format(
            "expected codec %s (encoding type 0x%04X), the peer sent encoding type 0x%04X: set the option codec"
                + " to the same value on both nodes",
            node.codec().name(), expected, actual);
    if (!settled && writer != null) {
      writer.frames().goAway(ErrorCode.UNSUPPORTED_CODEC, text, false);
      writer.endTurn();
    }
    broken(ErrorCode.UNSUPPORTED_CODEC, text);
  }

  private void broken(ErrorCode code, String text) {
    lost(code, text);
    close();
  }

  @Override
  public void onReadTurnBegin() {
    if (lane != null) {
      lane.readTurnBegin();
    }
  }

  @Override
  public void onReadTurnEnd() {
    if (lane != null) {
      lane.readTurnEnd();
    } else if (writer != null) {
      writer.endTurn();
    }
  }

  // --- For the lane

  @Override
  public void carry(NettyLane carried) {
    lane = carried;
    router.toLane(carried.frames());
  }

  @Override
  public void abandon() {
    lane = null;
    reader.stop();
    close();
  }

  @Override
  public void leave() {
    lane = null;
    reader.stop();
    closeWhenHeard();
  }

  /** Whether it ended, perhaps while it changed its loop, when no lane could be told. */
  boolean isOver() {
    return over;
  }

  /** Closes after what was written. */
  void close() {
    if (context != null) {
      var unused = context.close();
    }
  }

  FrameReader reader() {
    return reader;
  }

  @Override
  public FrameSink sink() {
    return writer;
  }

  @Override
  public boolean isWritable() {
    return context.channel().isWritable();
  }

  @Override
  public void endTurn() {
    writer.endTurn();
  }

  @Override
  public long bytesWritten() {
    return writer.bytesWritten();
  }

  @Override
  public long bytesPending() {
    ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  @Override
  public long bytesRead() {
    return reader.bytesRead();
  }

  @Override
  public void deliver(
      InboundChannel channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      int crc) {
    channel.accept(reader, position, sequence, messages, flags, length, crc);
  }

  Channel channel() {
    return context.channel();
  }

  EventLoop loop() {
    return context.channel().eventLoop();
  }

  SocketAddress peer() {
    return peer;
  }
}

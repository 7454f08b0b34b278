package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.DialAttempt;
import dev.penstock.transport.protocol.DialerHandshake;
import dev.penstock.transport.protocol.HandshakeOutcome;
import dev.penstock.transport.protocol.KnownSession;
import dev.penstock.transport.protocol.Trust;
import dev.penstock.transport.wire.Octets;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A session that this node dialed. Its first lane makes the session known to the peer; the others
 * join when it is up, for only then is it certain that the peer knows.
 */
final class DialedSession extends NettySession {
  /** Enough for a turn of frames and the next to be made meanwhile. */
  static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 * 1024, 512 * 1024);

  private record Joining(NettyLane lane, int epoch) {}

  private final EventLoops loops;
  private final ChannelGroup connections;
  private final InetSocketAddress address;
  private final Consumer<DialedSession> forgetter;
  private final List<Joining> joining = new ArrayList<>();
  private volatile boolean everUp;

  DialedSession(
      Node node,
      Gates gates,
      EventLoops loops,
      ChannelGroup connections,
      InetSocketAddress address,
      Consumer<DialedSession> forgetter) {
    super(node, address);
    this.loops = loops;
    this.connections = connections;
    this.address = address;
    this.forgetter = forgetter;
    int place = loops.nextPlace();
    for (int lane = 0; lane < node.options().lanes(); lane++) {
      addLane(gates, lane, loops.loop(place + lane), true);
    }
  }

  /** Begins to dial. */
  void start() {
    for (NettyLane lane : lanes()) {
      lane.execute(() -> lane.core().timeout(System.nanoTime()));
    }
  }

  InetSocketAddress address() {
    return address;
  }

  @Override
  public void connect(NettyLane lane, int epoch) {
    synchronized (this) {
      // Not before the peer has said READY: it knows the session by then.
      if (!everUp && lane.number() != 0) {
        joining.add(new Joining(lane, epoch));
        return;
      }
    }
    dial(lane, epoch);
  }

  private void dial(NettyLane lane, int epoch) {
    Attempt attempt = new Attempt(lane, epoch);
    Connection connection = new Connection(node(), attempt);
    long timeout = node().options().handshakeTimeout().toMillis();
    ChannelFuture connecting =
        new Bootstrap()
            .group(lane.loop())
            .channel(loops.socket())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.ALLOCATOR, node().allocator())
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, timeout))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    connection.install(
                        channel, () -> node().tls().forDialer(node().allocator(), address));
                  }
                })
            .connect(fresh(address));
    connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            loops.dialed(connecting.channel());
          } else {
            attempt.fail(ErrorCode.PEER_UNREACHABLE, address + ": " + done.cause(), false);
          }
        });
  }

  /** Host names are looked up anew for each connection. */
  private static InetSocketAddress fresh(InetSocketAddress address) {
    return address.isUnresolved()
        ? address
        : new InetSocketAddress(address.getAddress(), address.getPort());
  }

  private void joinOthers() {
    List<Joining> waiting;
    synchronized (this) {
      everUp = true;
      waiting = new ArrayList<>(joining);
      joining.clear();
    }
    for (Joining next : waiting) {
      next.lane.execute(() -> dial(next.lane, next.epoch));
    }
  }

  @Override
  public void laneUp(NettyLane lane, boolean resumed) {
    super.laneUp(lane, resumed);
    joinOthers();
  }

  @Override
  void forget() {
    forgetter.accept(this);
  }

  /** One connection attempt of one lane. */
  private final class Attempt implements Connection.Owner {
    private final NettyLane lane;
    private final int epoch;
    private boolean failed;

    Attempt(NettyLane lane, int epoch) {
      this.lane = lane;
      this.epoch = epoch;
    }

    @Override
    public Connection.Handshaking begin(Octets own, Octets peer) {
      DialAttempt attempt =
          new DialAttempt(
              Optional.ofNullable(known()),
              Optional.empty(),
              lane.number(),
              epoch,
              Node.nonce(),
              peer);
      return new Connection.Handshaking(
          new DialerHandshake(node().handshake(), node().identity(), attempt), null);
    }

    @Override
    public void trusted(Connection connection, Trust trust) {
      known(trust.session());
      lane.attach(connection, trust);
    }

    @Override
    public void refused(HandshakeOutcome.Refused refusal) {
      listener().onRefused(peer(), refusal.code(), refusal.text());
      if (refusal.sessionUnknown() && !everUp && lane.number() == 0) {
        known((KnownSession) null); // the peer never came to know it: begin anew
        fail(refusal.code(), refusal.text(), false);
      } else {
        boolean lost = refusal.sessionUnknown();
        fail(
            lost ? ErrorCode.SESSION_LOST : refusal.code(),
            refusal.text(),
            lost || !refusal.retryable());
      }
    }

    void fail(ErrorCode code, String text, boolean hopeless) {
      if (!failed) {
        failed = true;
        lane.connectFailed(code, text, hopeless);
      }
    }
  }

  static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}

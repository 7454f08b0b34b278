package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.protocol.AcceptAttempt;
import dev.penstock.transport.protocol.AcceptorHandshake;
import dev.penstock.transport.protocol.HandshakeOutcome;
import dev.penstock.transport.protocol.Trust;
import dev.penstock.transport.wire.Octets;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Listens, and lets in whom the handshake trusts. What is unproven costs little and does not last.
 */
final class Acceptor {
  private static final int BACKLOG = 1024;

  private final Node node;
  private final Sessions sessions;
  private final EventLoops loops;
  private final List<Channel> listening = new ArrayList<>();
  private final AtomicInteger unproven = new AtomicInteger();
  private final ChannelGroup connections;

  Acceptor(Node node, Sessions sessions, EventLoops loops, ChannelGroup connections) {
    this.node = node;
    this.sessions = sessions;
    this.loops = loops;
    this.connections = connections;
  }

  synchronized InetSocketAddress bind(InetSocketAddress address) {
    if (node.tls() != null) {
      node.tls().checkAcceptor();
    }
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops.group())
            .channel(loops.serverSocket())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOCATOR, node.allocator())
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, DialedSession.WATER_MARK)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new TransportException(
          ErrorCode.ADDRESS_UNAVAILABLE,
          null,
          "cannot listen on "
              + address
              + ": "
              + bound.cause()
              + "; the port must be free, and one that this process may have, on an address of this"
              + " host: bind another, or port 0 for any free one",
          bound.cause());
    }
    listening.add(bound.channel());
    return (InetSocketAddress) bound.channel().localAddress();
  }

  private void accept(Channel channel) {
    int max = node.options().maxUnprovenConnections();
    if (unproven.incrementAndGet() > max) {
      unproven.decrementAndGet();
      node.listener()
          .onRefused(
              channel.remoteAddress(),
              ErrorCode.RESOURCE_EXHAUSTED,
              "more than " + max + " connections without proof (option maxUnprovenConnections)");
      var unused = channel.close();
      return;
    }
    connections.add(channel);
    Attempt attempt = new Attempt(channel);
    channel.closeFuture().addListener(closed -> attempt.done());
    new Connection(node, attempt).install(channel, () -> node.tls().forAcceptor(node.allocator()));
  }

  synchronized List<SocketAddress> addresses() {
    return listening.stream().map(Channel::localAddress).toList();
  }

  /** Whether an address is one that this node listens on. */
  synchronized boolean isOwn(InetSocketAddress address) {
    for (Channel channel : listening) {
      InetSocketAddress own = (InetSocketAddress) channel.localAddress();
      boolean anywhere =
          own.getAddress().isAnyLocalAddress()
              && !address.isUnresolved()
              && address.getAddress().isLoopbackAddress();
      if (own.getPort() == address.getPort() && (anywhere || own.equals(address))) {
        return true;
      }
    }
    return false;
  }

  /** Listens no more. */
  synchronized void unbind() {
    for (Channel channel : listening) {
      channel.close().awaitUninterruptibly();
    }
    listening.clear();
  }

  /** One accepted connection until there is trust. */
  private final class Attempt implements Connection.Owner {
    private final Channel channel;
    private boolean counted = true;

    Attempt(Channel channel) {
      this.channel = channel;
    }

    @Override
    public Connection.Handshaking begin(Octets own, Octets peer) {
      AcceptAttempt attempt =
          new AcceptAttempt(Node.nonce(), Node.randomId(), Node.randomId() | 1, own, peer);
      return new Connection.Handshaking(
          null, new AcceptorHandshake(node.handshake(), node.identity(), attempt, sessions));
    }

    @Override
    public void trusted(Connection connection, Trust trust) {
      done();
      if (!sessions.take(connection, trust)) {
        connection.abandon();
      }
    }

    @Override
    public void refused(HandshakeOutcome.Refused refusal) {
      node.listener().onRefused(channel.remoteAddress(), refusal.code(), refusal.text());
    }

    private void done() {
      if (counted) {
        counted = false;
        unproven.decrementAndGet();
      }
    }
  }
}

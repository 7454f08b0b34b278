package dev.penstock.transport.netty;

import dev.penstock.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A node's session with itself: producers and consumers of one transport meet without a socket.
 * Each lane that opens channels has a partner that answers, on the same event loop.
 */
final class LocalSession extends NettySession {
  private final Map<NettyLane, NettyLane> partners = new HashMap<>();
  private final Consumer<LocalSession> forgetter;

  LocalSession(Node node, Gates gates, EventLoops loops, Consumer<LocalSession> forgetter) {
    super(node, InetSocketAddress.createUnresolved("in-process", 0));
    this.forgetter = forgetter;
    for (int number = 0; number < node.options().lanes(); number++) {
      NettyLane lane = addLane(gates, number, loops.loop(number), true);
      partners.put(lane, new NettyLane(node, gates, this, number, loops.loop(number), false));
    }
  }

  /** Connects the lanes. */
  void start() {
    for (NettyLane lane : lanes()) {
      lane.execute(() -> lane.core().timeout(System.nanoTime()));
    }
  }

  @Override
  public void connect(NettyLane lane, int epoch) {
    LocalLink[] ends = LocalLink.pair();
    NettyLane partner = partners.get(lane);
    lane.execute(
        () -> {
          // Both lanes are connected before either speaks.
          adopt(partner, ends[1]);
          adopt(lane, ends[0]);
          partner.turn();
        });
  }

  private void adopt(NettyLane lane, LocalLink end) {
    TransportOptions options = node().options();
    lane.adopt(
        end,
        options.maxFrameLength(),
        options.maxChannels(),
        Node.nanos(options.heartbeat()),
        false);
  }

  @Override
  void watchStalls() {
    partners.forEach(
        (lane, partner) -> {
          lane.execute(lane::watchStalls);
          partner.execute(partner::watchStalls);
        });
  }

  @Override
  void forget() {
    forgetter.accept(this);
  }
}

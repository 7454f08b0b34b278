package dev.penstock.transport.netty;

import dev.penstock.transport.protocol.Trust;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A session that a peer dialed. Its lanes appear as the peer's connections come. It is kept for its
 * window even if none of them came up: the peer may have heard READY, and resumes it then.
 */
final class AcceptedSession extends NettySession {
  private static final int MAX_LANES = 64;

  private final Gates gates;
  private final EventLoops loops;
  private final Consumer<AcceptedSession> forgetter;
  private final Map<Integer, NettyLane> byNumber = new ConcurrentHashMap<>();

  /** Highest epoch trusted, by lane. */
  private final Map<Integer, Long> epochs = new ConcurrentHashMap<>();

  AcceptedSession(
      Node node,
      Gates gates,
      EventLoops loops,
      SocketAddress peer,
      Trust trust,
      Consumer<AcceptedSession> forgetter) {
    super(node, peer);
    this.gates = gates;
    this.loops = loops;
    this.forgetter = forgetter;
    known(trust.session());
  }

  long highestEpoch(int lane) {
    return epochs.getOrDefault(lane, -1L);
  }

  /**
   * Gives a trusted connection to its lane, on the loop that owns the lane; closes it if it came
   * too late.
   *
   * @return whether it was taken
   */
  boolean take(Connection connection, Trust trust) {
    int number = trust.lane();
    if (number >= MAX_LANES) {
      return false;
    }
    NettyLane lane;
    synchronized (this) {
      long epoch = Integer.toUnsignedLong(trust.epoch());
      boolean tooLate = isDraining() && !byNumber.containsKey(number);
      if (end() != null || tooLate || epoch <= highestEpoch(number)) {
        return false;
      }
      epochs.put(number, epoch);
      lane =
          byNumber.computeIfAbsent(
              number, n -> addLane(gates, n, loops.besideOtherEnd(connection.channel()), false));
    }
    if (lane.loop() == connection.loop()) {
      lane.attach(connection, trust);
    } else {
      move(connection, lane.loop(), () -> lane.attach(connection, trust));
    }
    return true;
  }

  /** One event loop owns a lane: the connection goes to it, with what it has already read. */
  private static void move(Connection connection, EventLoop target, Runnable then) {
    connection.reader().pause();
    connection.channel().config().setAutoRead(false);
    connection
        .channel()
        .deregister()
        .addListener(
            done ->
                target
                    .register(connection.channel())
                    .addListener(
                        registered -> {
                          if (!registered.isSuccess() || connection.isOver()) {
                            Log.LOG.debug(
                                "a connection ended before it changed its event loop",
                                registered.cause());
                            connection.close();
                            return;
                          }
                          then.run();
                          connection.reader().resume();
                          connection.onReadTurnEnd();
                          connection.channel().config().setAutoRead(true);
                        }));
  }

  @Override
  public void connect(NettyLane lane, int epoch) {
    throw new IllegalStateException("an acceptor's lane does not dial");
  }

  @Override
  void forget() {
    forgetter.accept(this);
  }
}

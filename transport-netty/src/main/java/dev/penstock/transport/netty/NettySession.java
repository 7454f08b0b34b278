package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.protocol.KnownSession;
import dev.penstock.transport.protocol.Lane;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A relation to another node that outlives its connections: lanes that live and die together.
 *
 * <p>Thread safe.
 */
abstract class NettySession implements NettyLane.Owner {
  private final Node node;
  private final SocketAddress peer;

  /** Those that are dead included, so that numbers stay. */
  private final List<NettyLane> lanes = new CopyOnWriteArrayList<>();

  private int alive;
  private final CompletableFuture<String> firstUp = new CompletableFuture<>();
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile KnownSession known;
  private volatile TransportException end;
  private volatile boolean draining;

  NettySession(Node node, SocketAddress peer) {
    this.node = node;
    this.peer = peer;
  }

  NettyLane addLane(Gates gates, int number, EventLoop loop, boolean dialer) {
    NettyLane lane = new NettyLane(node, gates, this, number, loop, dialer);
    synchronized (this) {
      lanes.add(lane);
      alive++;
    }
    return lane;
  }

  final Node node() {
    return node;
  }

  final SocketAddress peer() {
    return peer;
  }

  final List<NettyLane> lanes() {
    return lanes;
  }

  final KnownSession known() {
    return known;
  }

  final void known(KnownSession session) {
    known = session;
  }

  /** The lane that a channel is opened on. */
  final NettyLane laneFor(ChannelKey key) {
    int hash = key.consumer() + 31 * (key.producer() + 31 * Long.hashCode(key.exchange()));
    return lanes.get(Math.floorMod(hash, lanes.size()));
  }

  /** Whether channels may still be opened. */
  final boolean takesChannels() {
    return end == null && !draining;
  }

  /** Why the session ended, or null. */
  final TransportException end() {
    return end;
  }

  /**
   * Completed with the peer's name when a lane is up, exceptionally when the session ends before.
   */
  final CompletableFuture<String> firstUp() {
    return firstUp;
  }

  /** Completed when all lanes are dead. */
  final CompletableFuture<Void> over() {
    return over;
  }

  @Override
  public void laneUp(NettyLane lane, boolean resumed) {
    listener().onLaneUp(peer, lane.number(), resumed);
    KnownSession session = known;
    firstUp.complete(session == null ? "" : session.peer().name());
  }

  @Override
  public void laneBroken(NettyLane lane, ErrorCode code, String text) {
    if (end == null) {
      listener().onLaneBroken(peer, lane.number(), code, text);
    }
  }

  @Override
  public void laneDead(NettyLane lane, ErrorCode code, String text) {
    boolean first = false;
    boolean last;
    boolean drained;
    synchronized (this) {
      alive--;
      last = alive == 0;
      // A lane that has drained leaves the others to do so.
      drained = draining && code == ErrorCode.SHUTTING_DOWN && !last;
      if (end == null && !drained) {
        end =
            new TransportException(
                code, null, "the session with " + peer + " ended: " + text, null);
        first = true;
      }
    }
    if (first) {
      listener().onSessionLost(peer, code, text);
      firstUp.completeExceptionally(end);
      for (NettyLane other : lanes) {
        if (other != lane) {
          other.execute(() -> other.core().close(code, text));
        }
      }
      forget();
    }
    if (last) {
      over.complete(null);
    }
  }

  /** Whether no new channels are opened because one of the two nodes closes. */
  final boolean isDraining() {
    return draining;
  }

  @Override
  public void draining() {
    drain();
  }

  /** Looks for stalled channels. */
  void watchStalls() {
    for (NettyLane lane : lanes) {
      lane.execute(lane::watchStalls);
    }
  }

  /** No new channels; over when the live ones are. */
  final void drain() {
    draining = true;
    for (NettyLane lane : lanes) {
      lane.execute(() -> lane.core().drain(ErrorCode.SHUTTING_DOWN, "the node is closing"));
    }
  }

  /** Ends it now. */
  final void close(ErrorCode code, String text) {
    for (NettyLane lane : lanes) {
      lane.execute(() -> lane.core().close(code, text));
    }
  }

  /** The session is over: take it out of the directory. */
  abstract void forget();

  final TransportListener listener() {
    return node.listener();
  }

  /** Whether a lane is up; on its loop. */
  static boolean isUp(NettyLane lane) {
    return lane.core().state() == Lane.State.UP;
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.TransportSnapshot;
import dev.penstock.transport.TransportSnapshot.ChannelState;
import dev.penstock.transport.TransportSnapshot.SessionState;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Looks at a transport: what belongs to a lane is read on its loop. */
final class Snapshots {
  private static final long LOOK_SECONDS = 5;

  private Snapshots() {}

  static TransportSnapshot take(
      Sessions sessions,
      Iterable<? extends AutoCloseable> gates,
      PooledByteBufAllocator allocator) {
    List<SessionState> sessionStates = new ArrayList<>();
    for (NettySession session : sessions.all()) {
      sessionStates.add(look(session));
    }
    List<ChannelState> channels = Collections.synchronizedList(new ArrayList<>());
    Map<NettyLane, List<Supplier<ChannelState>>> byLane = new HashMap<>();
    for (AutoCloseable gate : gates) {
      if (gate instanceof NettyOutputGate output) {
        for (OutgoingChannel channel : output.channels()) {
          if (channel.outcome() == null) {
            collect(channel.lane(), channel::snapshot, byLane, channels);
          }
        }
      } else if (gate instanceof NettyInputGate input) {
        for (IncomingChannel channel : input.channels()) {
          if (!channel.isGone()) {
            collect(channel.lane(), channel::snapshot, byLane, channels);
          }
        }
      }
    }
    byLane.forEach(
        (lane, looks) -> run(lane, () -> looks.forEach(look -> channels.add(look.get()))));
    return new TransportSnapshot(sessionStates, channels, Allocators.directBytes(allocator));
  }

  private static void collect(
      NettyLane lane,
      Supplier<ChannelState> look,
      Map<NettyLane, List<Supplier<ChannelState>>> byLane,
      List<ChannelState> channels) {
    if (lane == null) {
      channels.add(look.get());
    } else {
      byLane.computeIfAbsent(lane, key -> new ArrayList<>()).add(look);
    }
  }

  private static SessionState look(NettySession session) {
    long[] sums = new long[6];
    List<NettyLane> lanes = session.lanes();
    for (NettyLane lane : lanes) {
      run(
          lane,
          () -> {
            sums[0] += NettySession.isUp(lane) ? 1 : 0;
            sums[1] += lane.core().channels();
            sums[2] += lane.stats().resumes;
            sums[3] += lane.stats().retransmittedFrames;
            sums[4] += lane.bytesSent();
            sums[5] += lane.bytesReceived();
          });
    }
    return new SessionState(
        Sessions.name(session.peer(), session.known()),
        lanes.size(),
        (int) sums[0],
        (int) sums[1],
        sums[2],
        sums[3],
        sums[4],
        sums[5]);
  }

  /** Runs on the lane's loop and waits, so that its memory effects are seen here. */
  private static void run(NettyLane lane, Runnable look) {
    if (lane.loop().inEventLoop()) {
      look.run();
      return;
    }
    try {
      Future<?> done = lane.loop().submit(look);
      if (!done.awaitUninterruptibly(LOOK_SECONDS, TimeUnit.SECONDS)) {
        Log.LOG.warn("an event loop was busy for {} s: the snapshot lacks a lane", LOOK_SECONDS);
      }
    } catch (RejectedExecutionException e) {
      Log.LOG.debug("the transport is closed: the snapshot lacks a lane");
    }
  }
}

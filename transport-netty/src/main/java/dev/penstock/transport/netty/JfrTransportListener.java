package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.TransportListener;
import java.net.SocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Records what a transport does as Flight Recorder events, and passes it on. Costs next to nothing
 * while no recording runs. Event names start with {@code dev.penstock.}.
 */
public final class JfrTransportListener implements TransportListener {
  private final TransportListener next;

  /** Records only. */
  public JfrTransportListener() {
    this(new TransportListener() {});
  }

  /**
   * Records and passes on.
   *
   * @param next who else is to be told
   */
  public JfrTransportListener(TransportListener next) {
    this.next = next;
  }

  @Override
  public void onLaneUp(SocketAddress peer, int lane, boolean resumed) {
    LaneEvent event = new LaneEvent();
    event.what = resumed ? "resumed" : "up";
    event.peer = peer.toString();
    event.lane = lane;
    event.commit();
    next.onLaneUp(peer, lane, resumed);
  }

  @Override
  public void onLaneBroken(SocketAddress peer, int lane, ErrorCode code, String reason) {
    LaneEvent event = new LaneEvent();
    event.what = "broken";
    event.peer = peer.toString();
    event.lane = lane;
    event.code = code.name();
    event.reason = reason;
    event.commit();
    next.onLaneBroken(peer, lane, code, reason);
  }

  @Override
  public void onSessionLost(SocketAddress peer, ErrorCode code, String reason) {
    LaneEvent event = new LaneEvent();
    event.what = "session lost";
    event.peer = peer.toString();
    event.lane = -1;
    event.code = code.name();
    event.reason = reason;
    event.commit();
    next.onSessionLost(peer, code, reason);
  }

  @Override
  public void onRefused(SocketAddress peer, ErrorCode code, String reason) {
    LaneEvent event = new LaneEvent();
    event.what = "refused";
    event.peer = String.valueOf(peer);
    event.lane = -1;
    event.code = code.name();
    event.reason = reason;
    event.commit();
    next.onRefused(peer, code, reason);
  }

  @Override
  public void onChannelOpened(ChannelKey channel, Direction direction) {
    channel("opened", channel, direction, null, 0);
    next.onChannelOpened(channel, direction);
  }

  @Override
  public void onChannelClosed(
      ChannelKey channel, Direction direction, Outcome outcome, ErrorCode code) {
    channel("closed " + outcome, channel, direction, code, 0);
    next.onChannelClosed(channel, direction, outcome, code);
  }

  @Override
  public void onChannelStalled(ChannelKey channel, long waitingBytes) {
    channel("stalled", channel, Direction.OUTPUT, null, waitingBytes);
    next.onChannelStalled(channel, waitingBytes);
  }

  @Override
  public void onChannelResumed(ChannelKey channel) {
    channel("moves again", channel, Direction.OUTPUT, null, 0);
    next.onChannelResumed(channel);
  }

  private static void channel(
      String what, ChannelKey channel, Direction direction, ErrorCode code, long waitingBytes) {
    ChannelEvent event = new ChannelEvent();
    if (event.isEnabled()) {
      event.what = what;
      event.channel = channel.toString();
      event.direction = direction.name();
      event.code = code == null ? "" : code.name();
      event.waitingBytes = waitingBytes;
      event.commit();
    }
  }

  /** Life of a lane or session. */
  @Name("dev.penstock.Lane")
  @Label("Penstock lane")
  @Category("Penstock")
  @StackTrace(false)
  static final class LaneEvent extends Event {
    @Label("What")
    String what;

    @Label("Peer")
    String peer;

    @Label("Lane")
    int lane;

    @Label("Error code")
    String code = "";

    @Label("Reason")
    String reason = "";
  }

  /** Life of a channel. */
  @Name("dev.penstock.Channel")
  @Label("Penstock channel")
  @Category("Penstock")
  @StackTrace(false)
  static final class ChannelEvent extends Event {
    @Label("What")
    String what;

    @Label("Channel")
    String channel;

    @Label("Direction")
    String direction;

    @Label("Error code")
    String code = "";

    @Label("Waiting bytes")
    long waitingBytes;
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.TransportListener;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a node tells its host. */
final class Events implements TransportListener {
  /** A lane, session or connection that went wrong. */
  record Event(ErrorCode code, String reason) {}

  final List<Event> up = new CopyOnWriteArrayList<>();
  final List<Event> broken = new CopyOnWriteArrayList<>();
  final List<Event> lost = new CopyOnWriteArrayList<>();
  final List<Event> refused = new CopyOnWriteArrayList<>();
  final List<ChannelKey> opened = new CopyOnWriteArrayList<>();
  final List<Event> closed = new CopyOnWriteArrayList<>();

  @Override
  public void onLaneUp(SocketAddress peer, int lane, boolean resumed) {
    up.add(new Event(null, lane + (resumed ? " resumed" : "")));
  }

  @Override
  public void onLaneBroken(SocketAddress peer, int lane, ErrorCode code, String reason) {
    broken.add(new Event(code, reason));
  }

  @Override
  public void onSessionLost(SocketAddress peer, ErrorCode code, String reason) {
    lost.add(new Event(code, reason));
  }

  @Override
  public void onRefused(SocketAddress peer, ErrorCode code, String reason) {
    refused.add(new Event(code, reason));
  }

  @Override
  public void onChannelOpened(ChannelKey channel, Direction direction) {
    opened.add(channel);
  }

  @Override
  public void onChannelClosed(
      ChannelKey channel, Direction direction, Outcome outcome, ErrorCode code) {
    closed.add(new Event(code, channel + " " + outcome));
  }

  static boolean has(List<Event> events, ErrorCode code) {
    return events.stream().anyMatch(event -> event.code() == code);
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.TransportListener;
import java.net.SocketAddress;

/**
 * A host's listener that may throw: what it throws is logged and goes no further, for the
 * transport's own work comes after each call.
 */
final class GuardedListener implements TransportListener {
  private final TransportListener host;

  GuardedListener(TransportListener host) {
    this.host = host;
  }

  private static void guard(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      Log.LOG.error("the transport's listener failed (option listener): it must not throw", e);
    }
  }

  @Override
  public void onLaneUp(SocketAddress peer, int lane, boolean resumed) {
    guard(() -> host.onLaneUp(peer, lane, resumed));
  }

  @Override
  public void onLaneBroken(SocketAddress peer, int lane, ErrorCode code, String reason) {
    guard(() -> host.onLaneBroken(peer, lane, code, reason));
  }

  @Override
  public void onSessionLost(SocketAddress peer, ErrorCode code, String reason) {
    guard(() -> host.onSessionLost(peer, code, reason));
  }

  @Override
  public void onChannelOpened(ChannelKey channel, Direction direction) {
    guard(() -> host.onChannelOpened(channel, direction));
  }

  @Override
  public void onChannelClosed(
      ChannelKey channel, Direction direction, Outcome outcome, ErrorCode code) {
    guard(() -> host.onChannelClosed(channel, direction, outcome, code));
  }

  @Override
  public void onChannelStalled(ChannelKey channel, long waitingBytes) {
    guard(() -> host.onChannelStalled(channel, waitingBytes));
  }

  @Override
  public void onChannelResumed(ChannelKey channel) {
    guard(() -> host.onChannelResumed(channel));
  }

  @Override
  public void onRefused(SocketAddress peer, ErrorCode code, String reason) {
    guard(() -> host.onRefused(peer, code, reason));
  }
}

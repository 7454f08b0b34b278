package dev.penstock.transport;

import java.net.SocketAddress;

/**
 * What a host may want to see. Called on event loops: must not block or throw. What it throws is
 * logged.
 */
public interface TransportListener {
  /** Which way a channel goes. */
  enum Direction {
    /** This node sends. */
    OUTPUT,
    /** This node receives. */
    INPUT
  }

  /**
   * A lane to a peer came up, for the first time or again.
   *
   * @param peer where it is
   * @param lane which lane
   * @param resumed whether it had been up before
   */
  default void onLaneUp(SocketAddress peer, int lane, boolean resumed) {}

  /**
   * A connection broke; its channels wait for the lane to resume.
   *
   * @param peer where it is
   * @param lane which lane
   * @param code why
   * @param reason for a person
   */
  default void onLaneBroken(SocketAddress peer, int lane, ErrorCode code, String reason) {}

  /**
   * A session is over, and with it its channels.
   *
   * @param peer where it is
   * @param code why
   * @param reason for a person
   */
  default void onSessionLost(SocketAddress peer, ErrorCode code, String reason) {}

  /**
   * Both ends of a channel are there; again after each resume.
   *
   * @param channel which
   * @param direction which end this is
   */
  default void onChannelOpened(ChannelKey channel, Direction direction) {}

  /**
   * A channel has ended.
   *
   * @param channel which
   * @param direction which end this is
   * @param outcome how
   * @param code why, or null
   */
  default void onChannelClosed(
      ChannelKey channel, Direction direction, Outcome outcome, ErrorCode code) {}

  /**
   * A sending channel has waited for its consumer's credit for a second or longer without sending a
   * byte. Reported once until it moves again.
   *
   * @param channel which
   * @param waitingBytes how much waits
   */
  default void onChannelStalled(ChannelKey channel, long waitingBytes) {}

  /**
   * A stalled channel moves again.
   *
   * @param channel which
   */
  default void onChannelResumed(ChannelKey channel) {}

  /**
   * A connection was refused before or during its handshake.
   *
   * @param peer where from or where to
   * @param code why
   * @param reason for a person
   */
  default void onRefused(SocketAddress peer, ErrorCode code, String reason) {}
}

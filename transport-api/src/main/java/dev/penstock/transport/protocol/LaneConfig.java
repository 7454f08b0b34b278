package dev.penstock.transport.protocol;

/**
 * What a lane needs to know. Times in nanoseconds.
 *
 * @param dialer whether this side dials, and so uses even channel numbers and reconnects
 * @param heartbeat PING is sent when nothing was for this long
 * @param silence a connection on which nothing came, or no byte could be written, for this long is
 *     broken
 * @param resumeWindow how long channels outlive a broken connection
 * @param openTimeout how long a channel that the peer opened waits for its gate
 * @param maxChannels channels that the peer may have live on this lane
 * @param maxWaiting channels that may wait for a gate at once
 * @param quantum payload bytes per channel and turn
 * @param maxPayload longest payload of a DATA frame, before the peer's limit is known
 */
public record LaneConfig(
    boolean dialer,
    long heartbeat,
    long silence,
    long resumeWindow,
    long openTimeout,
    int maxChannels,
    int maxWaiting,
    int quantum,
    int maxPayload) {

  /**
   * The window after which a broken lane is given up: the acceptor waits longer, so that the dialer
   * decides.
   */
  long window() {
    return dialer ? resumeWindow : resumeWindow + 2 * silence;
  }
}

package dev.penstock.transport;

import java.util.List;

/**
 * The state of a transport at about one moment: which channel waits for whom, and why.
 *
 * @param sessions its sessions
 * @param channels its channels, those whose peer has not come included
 * @param directBytes direct memory that the transport's allocator holds; transports that share
 *     event loops share the allocator, too
 */
public record TransportSnapshot(
    List<SessionState> sessions, List<ChannelState> channels, long directBytes) {
  /**
   * Copies its arguments.
   *
   * @param sessions its sessions
   * @param channels its channels
   * @param directBytes direct memory that the transport's allocator holds; transports that share
   *     event loops share the allocator, too
   */
  public TransportSnapshot {
    sessions = List.copyOf(sessions);
    channels = List.copyOf(channels);
  }

  /**
   * A session.
   *
   * @param peer the peer's address and name
   * @param lanes lanes altogether
   * @param lanesUp lanes that are up
   * @param channels live channels
   * @param resumes how often a lane resumed
   * @param retransmittedFrames DATA frames sent again
   * @param bytesSent bytes written to sockets
   * @param bytesReceived bytes read from sockets
   */
  public record SessionState(
      String peer,
      int lanes,
      int lanesUp,
      int channels,
      long resumes,
      long retransmittedFrames,
      long bytesSent,
      long bytesReceived) {}

  /** What a channel waits for. */
  public enum WaitsFor {
    /** Nothing: it flows. */
    NOTHING,
    /** The other end has not come yet. */
    PEER_GATE,
    /** The connection is broken and resumes. */
    CONNECTION,
    /** The consumer's application: credit is used up. */
    CONSUMER,
    /** The producer's application: there is nothing to send or take. */
    PRODUCER,
    /** This node's application: received data waits to be polled. */
    LOCAL_CONSUMER,
    /** The consumer's confirmation that it has taken everything. */
    CONFIRMATION
  }

  /**
   * A channel.
   *
   * @param key which
   * @param direction which end this is
   * @param state the protocol's state
   * @param waitsFor whom it waits for
   * @param reason the same for a person, with figures
   * @param sent output: bytes sent; input: bytes received
   * @param confirmed output: bytes acknowledged; input: bytes consumed
   * @param limit credit limit
   * @param queued output: bytes not yet sent; input: bytes received and not consumed
   */
  public record ChannelState(
      ChannelKey key,
      TransportListener.Direction direction,
      String state,
      WaitsFor waitsFor,
      String reason,
      long sent,
      long confirmed,
      long limit,
      long queued) {}

  /**
   * The snapshot as lines that a person can read: sessions first, then the channels that wait.
   *
   * @return several lines
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (SessionState session : sessions) {
      text.append(session).append('\n');
    }
    for (ChannelState channel : channels) {
      text.append(channel.direction())
          .append(' ')
          .append(channel.key())
          .append(' ')
          .append(channel.state());
      text.append(" waits for ")
          .append(channel.waitsFor())
          .append(": ")
          .append(channel.reason())
          .append('\n');
    }
    return text.append("direct memory: ").append(directBytes).append(" bytes").toString();
  }
}

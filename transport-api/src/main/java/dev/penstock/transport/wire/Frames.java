package dev.penstock.transport.wire;

import dev.penstock.transport.ErrorCode;

/**
 * The vocabulary of the protocol: one method per kind of frame.
 *
 * <p>An encoder implements it by writing bytes, a decoder calls it while reading them, the protocol
 * machines implement it for what comes in and call one for what goes out. Integers that the
 * protocol calls unsigned are carried in the signed type of the same width.
 *
 * <p>Not thread safe; nothing here blocks. Implementations must not keep references to mutable
 * arguments.
 */
public interface Frames {
  /** Flag of DATA: the payload is a piece of one message, not whole messages. */
  int PIECE = 1;

  /** Flag of DATA: the last piece of a message; only with {@link #PIECE}. */
  int LAST_PIECE = 1 << 1;

  /** Flag of DATA: reserved; compression happens per message above the transport. */
  int COMPRESSED = 1 << 2;

  /**
   * Dialer to acceptor: the first frame of a connection.
   *
   * @param hello its fields
   */
  void hello(Hello hello);

  /**
   * Acceptor to dialer: the answer to HELLO.
   *
   * @param welcome its fields
   */
  void welcome(Welcome welcome);

  /**
   * Dialer to acceptor: completes the handshake.
   *
   * @param proof the dialer's proof; empty without an authentication scheme
   */
  void proof(Octets proof);

  /**
   * Opens a channel, or restates an open one after a reconnect by the side that opened it.
   *
   * @param channel the channel's number on this lane, u32
   * @param role what the speaker is on this channel
   * @param exchange key: exchange, u64
   * @param producer key: producer, u32
   * @param consumer key: consumer, u32
   * @param attempt key: attempt, u32
   * @param position sender: bytes sent so far; receiver: bytes received so far
   * @param sequence sender: sequence of the next message to send; receiver: to receive
   * @param backlog sender: committed bytes beyond {@code position}; receiver: 0
   * @param consumed receiver: bytes given back by the application; sender: 0
   * @param limit receiver: position up to which the sender may send; sender: 0
   * @param floor receiver: credit that is always restored, in bytes; sender: 0
   */
  void open(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor);

  /**
   * Answers OPEN, or restates an open channel by the side that did not open it. Parameters as in
   * {@link #open}.
   *
   * @param channel the channel's number on this lane, u32
   * @param role what the speaker is on this channel
   * @param exchange key: exchange, u64
   * @param producer key: producer, u32
   * @param consumer key: consumer, u32
   * @param attempt key: attempt, u32
   * @param position sender: bytes sent so far; receiver: bytes received so far
   * @param sequence sender: sequence of the next message to send; receiver: to receive
   * @param backlog sender: committed bytes beyond {@code position}; receiver: 0
   * @param consumed receiver: bytes given back by the application; sender: 0
   * @param limit receiver: position up to which the sender may send; sender: 0
   * @param floor receiver: credit that is always restored, in bytes; sender: 0
   */
  void opened(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor);

  /**
   * Ends the restating of channels after a connection came up.
   *
   * @param liveChannels how many channels the speaker restated
   * @param draining whether the speaker takes no new channels
   */
  void ready(int liveChannels, boolean draining);

  /**
   * Records of one channel. The payload is not an argument: it follows the fields in the frame and
   * is read and written by the shell as it lies in memory.
   *
   * @param channel the channel's number, u32
   * @param position position of the payload's first byte
   * @param sequence sequence of the first message that starts in, or is continued by, the payload
   * @param messages how many messages end in the payload
   * @param flags {@link #PIECE}, {@link #LAST_PIECE}, {@link #COMPRESSED}
   * @param uncompressedLength record bytes that the payload stands for; what credit counts
   * @param backlog committed bytes of the sender beyond this frame
   * @param payloadLength bytes of payload that follow
   * @param payloadCrc CRC32C of the payload; 0 when the feature "payload CRC off" was agreed
   */
  void data(
      int channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int uncompressedLength,
      long backlog,
      int payloadLength,
      int payloadCrc);

  /**
   * Sender to receiver: there is data and too little credit. At most once per limit.
   *
   * @param channel the channel's number, u32
   * @param position bytes sent so far
   * @param backlog committed bytes beyond it
   */
  void demand(int channel, long position, long backlog);

  /**
   * Receiver to sender: cumulative acknowledgement and absolute credit.
   *
   * @param channel the channel's number, u32
   * @param received bytes received in order
   * @param consumed bytes given back by the application
   * @param limit position up to which the sender may send; never lowered
   */
  void credit(int channel, long received, long consumed, long limit);

  /**
   * Sender to receiver: nothing follows the final position.
   *
   * @param channel the channel's number, u32
   * @param position bytes sent altogether
   * @param sequence messages sent altogether
   */
  void finish(int channel, long position, long sequence);

  /**
   * Receiver to sender: the application has taken the last record. A terminal.
   *
   * @param channel the channel's number, u32
   * @param position bytes received altogether
   * @param sequence messages received altogether
   */
  void finishAck(int channel, long position, long sequence);

  /**
   * Either side gives the channel up. A terminal.
   *
   * @param channel the channel's number, u32
   * @param code why
   * @param text for a person, at most {@value WireLimits#MAX_TEXT_BYTES} bytes of UTF-8
   */
  void reset(int channel, ErrorCode code, String text);

  /**
   * Confirms the peer's terminal.
   *
   * @param channel the channel's number, u32
   */
  void closed(int channel);

  /**
   * Asks for a {@link #pong} with the same value.
   *
   * @param value opaque
   */
  void ping(long value);

  /**
   * Answers {@link #ping}.
   *
   * @param value the value of the PING
   */
  void pong(long value);

  /**
   * The speaker ends the session, or takes no new channels.
   *
   * @param code why
   * @param text for a person, at most {@value WireLimits#MAX_TEXT_BYTES} bytes of UTF-8
   * @param draining true if live channels may finish, false if the session ends now
   */
  void goAway(ErrorCode code, String text, boolean draining);
}

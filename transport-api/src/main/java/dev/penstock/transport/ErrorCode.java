package dev.penstock.transport;

/**
 * Why something failed. The numbers are part of the wire protocol: they never change and are never
 * reused.
 *
 * <p>Each code says how far the failure reaches ({@link Scope}), whether trying again can help, and
 * whether the fate of the messages already sent is known.
 */
public enum ErrorCode {
  /** A peer that proved its identity broke a rule of the protocol. */
  PROTOCOL_VIOLATION(1, Scope.SESSION, false, false),
  /** The peers share no protocol version. */
  UNSUPPORTED_VERSION(2, Scope.SESSION, false, true),
  /** The peer speaks a codec that this node was not configured for. */
  UNSUPPORTED_CODEC(3, Scope.SESSION, false, true),
  /** A proof was missing or wrong. */
  AUTHENTICATION_FAILED(4, Scope.SESSION, false, true),
  /** A frame announced more bytes than agreed. */
  FRAME_TOO_LARGE(5, Scope.LANE, false, false),
  /** A message is longer than the configured maximum. */
  MESSAGE_TOO_LARGE(6, Scope.CHANNEL, false, true),
  /** Data did not start where the receiver stood. */
  SEQUENCE_GAP(7, Scope.CHANNEL, true, false),
  /** A payload does not match its checksum. */
  CHECKSUM_MISMATCH(8, Scope.CHANNEL, true, false),
  /** A sender sent more than it was granted. */
  CREDIT_EXCEEDED(9, Scope.CHANNEL, false, false),
  /** Nobody registered the channel before its deadline. */
  UNKNOWN_CHANNEL(10, Scope.CHANNEL, true, true),
  /** A newer attempt, or another channel of the same key, took this channel's place. */
  FENCED(11, Scope.CHANNEL, false, true),
  /** The consumer has what it needs; not a failure. */
  STOPPED(12, Scope.CHANNEL, false, true),
  /** The application aborted the channel. */
  CANCELLED(13, Scope.CHANNEL, true, true),
  /** The application's own code failed. */
  APPLICATION_ERROR(14, Scope.CHANNEL, true, true),
  /** No connection to the peer could be made. */
  PEER_UNREACHABLE(15, Scope.SESSION, true, true),
  /** The peer said nothing, or took nothing, for longer than the silence limit. */
  PEER_SILENT(16, Scope.LANE, true, false),
  /** The session could not be resumed within its window, or the peer no longer knows it. */
  SESSION_LOST(17, Scope.SESSION, true, false),
  /** A deadline passed. */
  DEADLINE_EXCEEDED(18, Scope.CHANNEL, true, false),
  /** A limit on memory, channels or connections was reached. */
  RESOURCE_EXHAUSTED(19, Scope.CHANNEL, true, true),
  /** The node is closing. */
  SHUTTING_DOWN(20, Scope.SESSION, true, true),
  /** A bug in Penstock. */
  INTERNAL(21, Scope.SESSION, false, false),
  /**
   * The node cannot listen on an address: the port is taken, or the system does not let it have
   * that.
   */
  ADDRESS_UNAVAILABLE(22, Scope.SESSION, true, true);

  /** How far a failure reaches. */
  public enum Scope {
    /** One channel; others on the same session go on. */
    CHANNEL,
    /** One connection; its lane resumes. */
    LANE,
    /** Every channel between the two nodes. */
    SESSION
  }

  private static final ErrorCode[] BY_NUMBER = new ErrorCode[23];

  static {
    for (ErrorCode code : values()) {
      BY_NUMBER[code.number] = code;
    }
  }

  private final int number;
  private final Scope scope;
  private final boolean retryable;
  private final boolean outcomeKnown;

  ErrorCode(int number, Scope scope, boolean retryable, boolean outcomeKnown) {
    this.number = number;
    this.scope = scope;
    this.retryable = retryable;
    this.outcomeKnown = outcomeKnown;
  }

  /**
   * The number on the wire.
   *
   * @return 1 to 22
   */
  public int number() {
    return number;
  }

  /**
   * How far the failure reaches.
   *
   * @return the scope
   */
  public Scope scope() {
    return scope;
  }

  /**
   * Whether the same work may succeed when tried again.
   *
   * @return true if a retry can help
   */
  public boolean retryable() {
    return retryable;
  }

  /**
   * Whether it is known how much of what was sent the consumer has processed.
   *
   * @return false if the consumer may or may not have taken what was sent
   */
  public boolean outcomeKnown() {
    return outcomeKnown;
  }

  /**
   * The code with a number.
   *
   * @param number a number from the wire
   * @return the code; {@link #INTERNAL} for a number of a newer version that this one does not know
   */
  public static ErrorCode ofNumber(int number) {
    ErrorCode code = number > 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    return code == null ? INTERNAL : code;
  }
}

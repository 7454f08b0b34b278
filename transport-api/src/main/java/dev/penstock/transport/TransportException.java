package dev.penstock.transport;

/**
 * A failure of the transport, with a code that programs can decide by and a text for people that
 * names what was expected, what came, and which option to change.
 */
public class TransportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  private final ErrorCode code;

  /** The channel, as data only. */
  private final transient ChannelKey channel;

  /**
   * Creates one that is not about a single channel.
   *
   * @param code why
   * @param message for a person
   */
  public TransportException(ErrorCode code, String message) {
    this(code, null, message, null);
  }

  /**
   * Creates one.
   *
   * @param code why
   * @param channel which channel, or null
   * @param message for a person
   * @param cause what lies behind it, or null
   */
  public TransportException(ErrorCode code, ChannelKey channel, String message, Throwable cause) {
    super(code + (channel == null ? "" : " on channel " + channel) + ": " + message, cause);
    this.code = code;
    this.channel = channel;
  }

  /**
   * Why.
   *
   * @return the code
   */
  public ErrorCode code() {
    return code;
  }

  /**
   * Which channel failed.
   *
   * @return the channel, or null if the failure is not about one
   */
  public ChannelKey channel() {
    return channel;
  }
}

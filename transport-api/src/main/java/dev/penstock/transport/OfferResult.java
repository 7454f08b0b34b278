package dev.penstock.transport;

/** What became of an attempt to put a message into an {@link OutputGate}. */
public enum OfferResult {
  /**
   * The message is in the gate's log: it will be delivered in order, or the channel's failure will
   * be reported.
   */
  ACCEPTED,
  /**
   * No memory for it now, because the consumer is slower than the producer. Try again later;
   * nothing was kept.
   */
  BACK_PRESSURED,
  /** The consumer said that it has enough. Not a failure; nothing was kept, and nothing will be. */
  STOPPED,
  /** The channel has failed: see {@link OutputGate#failure}. */
  FAILED,
  /** The gate was finished, aborted or closed by this side. */
  CLOSED,
  /**
   * The message is longer than {@code maxMessageLength}, or than the gate's memory can ever hold.
   */
  MESSAGE_TOO_LARGE
}

package dev.penstock.transport;

/** How a channel ended. Each end of a channel gets exactly one. */
public enum Outcome {
  /** The consumer's application has taken every message. */
  FINISHED,
  /** The consumer said that it has enough; not a failure. */
  STOPPED,
  /** This side, or the producer, gave the channel up before it was finished. */
  ABORTED,
  /** The channel failed; the error code says why. */
  FAILED,
  /** The consumer may or may not have taken every message: the answer never came. */
  UNKNOWN
}

package dev.penstock.transport.netty;

/** What an append log answers to an application that wants to append. */
enum AppendResult {
  /** There is room. */
  ADMITTED,
  /** No memory now; it comes back as the receiver acknowledges. */
  BACK_PRESSURED,
  /** The message is longer than the configured maximum and can never be appended. */
  TOO_LARGE,
  /** The channel is over. */
  CLOSED,
  /** Still no memory at the deadline. */
  TIMED_OUT,
  /** The waiting thread was interrupted; its interrupt status is still set. */
  INTERRUPTED
}

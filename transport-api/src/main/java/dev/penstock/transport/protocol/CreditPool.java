package dev.penstock.transport.protocol;

/**
 * The float of a memory budget, as a receiving channel sees it. One owner decides; where lanes on
 * several threads share a budget the shell serializes the calls around one {@link CreditBudget}.
 */
public interface CreditPool {
  /**
   * Takes float for a channel. If less than wanted is there, the channel is remembered and told by
   * {@link CreditShare.Listener#onFloatAvailable} when it should ask again.
   *
   * @param share who asks
   * @param want bytes, more than 0
   * @return bytes taken, 0 to {@code want}
   */
  long take(CreditShare share, long want);

  /**
   * Returns float.
   *
   * @param bytes how much, not negative
   */
  void give(long bytes);

  /**
   * Ends a share: returns its floor, and forgets that it waits.
   *
   * @param share the share; its float has been returned
   */
  void unregister(CreditShare share);
}

package dev.penstock.transport.protocol;

/**
 * One channel's share of a {@link CreditBudget}: the floor that is its own, and how much it may
 * float.
 */
public final class CreditShare {
  /** Told when float that a share waited for may be there. */
  public interface Listener {
    /**
     * The share should ask again: {@link Lane#floatAvailable} on the lane's thread.
     *
     * @param share who waited
     */
    void onFloatAvailable(CreditShare share);
  }

  final CreditPool pool;
  final Listener listener;
  final int floor;
  final long cap;

  /** Next in the budget's queue of waiting shares. */
  CreditShare nextWaiting;

  boolean waiting;
  boolean registered = true;

  /**
   * Creates one; used by the owner of a budget.
   *
   * @param pool whom the channel asks
   * @param listener whom the pool tells
   * @param floor bytes that are always the channel's
   * @param cap most float, in bytes
   */
  CreditShare(CreditPool pool, Listener listener, int floor, long cap) {
    this.pool = pool;
    this.listener = listener;
    this.floor = floor;
    this.cap = cap;
  }

  /**
   * Tells whoever registered the share that float may be there; for the owner of a pool, outside
   * its lock.
   */
  public void notifyFloatAvailable() {
    listener.onFloatAvailable(this);
  }

  /**
   * Credit that the channel always gets back.
   *
   * @return bytes
   */
  public int floor() {
    return floor;
  }
}

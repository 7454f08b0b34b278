package dev.penstock.transport.protocol;

/** So many events at once, and so many per second: a bucket of tokens. */
final class RateCap {
  private static final long SECOND = 1_000_000_000L;

  private final long capacity;
  private long tokens;
  private long filledAt;

  /**
   * A full bucket.
   *
   * @param capacity events at once, and events per second
   * @param now the time
   */
  RateCap(long capacity, long now) {
    this.capacity = capacity;
    this.tokens = capacity;
    this.filledAt = now;
  }

  /** Counts an event; false when it is one too many. */
  boolean take(long now) {
    long elapsed = now - filledAt;
    if (elapsed >= SECOND) {
      tokens = capacity;
      filledAt = now;
    } else if (elapsed > 0) {
      long refill = elapsed * capacity / SECOND;
      if (refill > 0) {
        tokens = Math.min(capacity, tokens + refill);
        filledAt = now;
      }
    }
    if (tokens == 0) {
      return false;
    }
    tokens--;
    return true;
  }
}

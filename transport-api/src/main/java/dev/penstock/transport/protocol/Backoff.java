package dev.penstock.transport.protocol;

/**
 * How long a dialer waits before its next attempt: not at all before the first, then twice as long
 * each time up to a maximum, of which the caller's jitter takes away up to a half so that many
 * dialers do not come back at once. Only progress resets it: a connection that comes up and breaks
 * again does not. Not thread safe.
 */
public final class Backoff {
  private final long firstNanos;
  private final long maxNanos;
  private long nextNanos;

  /**
   * Before the first attempt.
   *
   * @param firstNanos longest wait before the second attempt, in nanoseconds, at least 1
   * @param maxNanos longest wait of all, in nanoseconds
   * @throws IllegalArgumentException if they are not 1 or more, or out of order
   */
  public Backoff(long firstNanos, long maxNanos) {
    if (firstNanos < 1 || maxNanos < firstNanos) {
      throw new IllegalArgumentException(
          "back-off: expected 1 <= first <= max nanoseconds, got "
              + firstNanos
              + " and "
              + maxNanos);
    }
    this.firstNanos = firstNanos;
    this.maxNanos = maxNanos;
  }

  /**
   * The wait before the next attempt; the one after that waits longer.
   *
   * @param jitter 0 to 1, random: 0 waits the whole time, 1 half of it
   * @return nanoseconds; 0 for the first attempt and for the first after progress
   * @throws IllegalArgumentException if the jitter is out of its range
   */
  public long nextDelayNanos(double jitter) {
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("jitter: expected 0 to 1, got " + jitter);
    }
    long whole = nextNanos;
    nextNanos = whole == 0 ? firstNanos : whole > maxNanos / 2 ? maxNanos : whole * 2;
    return whole - (long) (whole / 2.0 * jitter);
  }

  /** The lane carried something: the next attempt is made at once. */
  public void progress() {
    nextNanos = 0;
  }
}

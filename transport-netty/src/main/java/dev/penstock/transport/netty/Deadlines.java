package dev.penstock.transport.netty;

import java.time.Duration;

/**
 * Deadlines on the scale of {@link System#nanoTime} from durations that applications give: any
 * duration will do, also one that stands for "for ever". Only differences of deadlines may be
 * compared.
 */
final class Deadlines {
  /** Longer than anyone waits, and far from where differences overflow. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Deadlines() {}

  /** When a duration from now is over; now if it is negative. */
  static long after(Duration duration) {
    return System.nanoTime() + nanos(duration);
  }

  /** A duration in nanoseconds: from 0 to about a century. */
  static long nanos(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
  }
}

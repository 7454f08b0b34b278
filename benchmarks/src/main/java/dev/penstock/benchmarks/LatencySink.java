package dev.penstock.benchmarks;

import org.HdrHistogram.Histogram;

/** Takes records whose head is the time at which they were due, and keeps how late they arrived. */
final class LatencySink extends RecordSink {
  private static final int SIGNIFICANT_DIGITS = 3;

  private final Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
  private volatile Schedule schedule;
  private long records;
  private long checksum;

  /** Sets which records count; before the first is sent. */
  void use(Schedule schedule) {
    this.schedule = schedule;
  }

  @Override
  public void accept(int length, long head) {
    long now = System.nanoTime();
    records++;
    checksum += head;
    Schedule times = schedule;
    if (head - times.recordFrom() >= 0 && head - times.recordUntil() < 0) {
      // Records leave when they are due or later, but a histogram must not fail for a clock.
      histogram.recordValue(Math.max(0, now - head));
    }
  }

  Totals totals() {
    return new Totals(records, checksum);
  }

  /** Latencies in nanoseconds; read after the channel has ended. */
  Histogram histogram() {
    return histogram;
  }
}

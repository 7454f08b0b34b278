package dev.penstock.benchmarks;

import java.util.concurrent.atomic.AtomicLong;

/** Notes the longest time between two records. */
final class PauseSink extends RecordSink {
  private final AtomicLong longest = new AtomicLong();
  private long last;
  private long records;
  private long checksum;

  @Override
  public void accept(int length, long head) {
    long now = System.nanoTime();
    if (records > 0 && now - last > longest.getOpaque()) {
      longest.setOpaque(now - last);
    }
    last = now;
    records++;
    checksum += head;
  }

  /** The longest pause in nanoseconds since this was last asked. */
  long takeLongest() {
    return longest.getAndSet(0);
  }

  /** What was received; read after the channel has ended. */
  Totals totals() {
    return new Totals(records, checksum);
  }
}

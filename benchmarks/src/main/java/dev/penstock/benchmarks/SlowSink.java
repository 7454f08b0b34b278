package dev.penstock.benchmarks;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A consumer that keeps its rate to a hundredth of what the others have on average. */
final class SlowSink extends CountingSink {
  private static final int SLOWNESS = 100;
  private static final int RECORDS_PER_CHECK = 64;
  private static final long NAP_NANOS = 1_000_000;

  private final LongSupplier recordsOfOthers;
  private final BooleanSupplier hurry;

  /**
   * Creates one; its records do not count.
   *
   * @param recordsOfOthers how many records another consumer has received on average
   * @param hurry whether to stop being slow, so that the case can end
   */
  SlowSink(LongSupplier recordsOfOthers, BooleanSupplier hurry) {
    super(false);
    this.recordsOfOthers = recordsOfOthers;
    this.hurry = hurry;
  }

  @Override
  public void accept(int length, long head) {
    super.accept(length, head);
    if (records() % RECORDS_PER_CHECK == 0) {
      while (records() * SLOWNESS > recordsOfOthers.getAsLong() && !hurry.getAsBoolean()) {
        LockSupport.parkNanos(this, NAP_NANOS);
      }
    }
  }
}

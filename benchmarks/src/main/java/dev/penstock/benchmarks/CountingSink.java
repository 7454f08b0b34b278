package dev.penstock.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts and sums records; the counts can be read while it runs. */
class CountingSink extends RecordSink {
  private static final VarHandle RECORDS;
  private static final VarHandle BYTES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RECORDS = lookup.findVarHandle(CountingSink.class, "records", long.class);
      BYTES = lookup.findVarHandle(CountingSink.class, "bytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final boolean counts;
  private long records;
  private long bytes;
  private long checksum;

  /**
   * Creates one.
   *
   * @param counts whether its records are part of the throughput
   */
  CountingSink(boolean counts) {
    this.counts = counts;
  }

  @Override
  public void accept(int length, long head) {
    // Opaque stores cost what plain ones do, and the measuring thread sees them.
    RECORDS.setOpaque(this, records + 1);
    BYTES.setOpaque(this, bytes + length + Workload.LENGTH_PREFIX);
    checksum += head;
  }

  final boolean counts() {
    return counts;
  }

  final long records() {
    return (long) RECORDS.getOpaque(this);
  }

  final long bytes() {
    return (long) BYTES.getOpaque(this);
  }

  /** What was received; read after the channel has ended. */
  final Totals totals() {
    return new Totals(records, checksum);
  }
}

package dev.penstock.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts and sums records; the counts can be read while it runs. */
final class CountingSink extends RecordSink {
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

  private long records;
  private long bytes;
  private long checksum;

  @Override
  public void accept(int length, long head) {
    // Opaque stores cost what plain ones do, and the measuring thread sees them.
    RECORDS.setOpaque(this, records + 1);
    BYTES.setOpaque(this, bytes + length + Workload.LENGTH_PREFIX);
    checksum += head;
  }

  long records() {
    return (long) RECORDS.getOpaque(this);
  }

  long bytes() {
    return (long) BYTES.getOpaque(this);
  }

  /** What was received; read after the channel has ended. */
  Totals totals() {
    return new Totals(records, checksum);
  }
}

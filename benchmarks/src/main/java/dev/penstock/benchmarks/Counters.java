package dev.penstock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counters at one moment.
 *
 * @param nanos when
 * @param records received so far, by the consumers that count
 * @param bytes of them, with a length prefix each
 * @param cpuNanos processor time of this JVM
 * @param allocated bytes of heap that the threads of this JVM have taken, without the one that asks
 */
record Counters(long nanos, long records, long bytes, long cpuNanos, long allocated) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  static Counters read(List<CountingSink> sinks) {
    long records = 0;
    long bytes = 0;
    for (CountingSink sink : sinks) {
      if (sink.counts()) {
        records += sink.records();
        bytes += sink.bytes();
      }
    }
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new Counters(
        System.nanoTime(), records, bytes, system.getProcessCpuTime(), allocatedByOthers());
  }

  /** Of the threads that live: those of a case do, from before the measurement to its end. */
  private static long allocatedByOthers() {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long[] ids = threads.getAllThreadIds();
    long[] allocated = threads.getThreadAllocatedBytes(ids);
    long self = Thread.currentThread().getId();
    long sum = 0;
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] != self) {
        sum += Math.max(0, allocated[i]);
      }
    }
    return sum;
  }

  Map<String, Double> since(Counters before) {
    double seconds = (nanos - before.nanos) / NANOS_PER_SECOND;
    double count = records - before.records;
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("mb_per_s", (bytes - before.bytes) / BYTES_PER_MEGABYTE / seconds);
    metrics.put("records_per_s", count / seconds);
    metrics.put("cpu_ns_per_record", (cpuNanos - before.cpuNanos) / Math.max(1, count));
    double taken = allocated - before.allocated;
    metrics.put("allocated_b_per_record", taken / Math.max(1, count));
    metrics.put(
        "allocated_b_per_32k", taken * Workload.FRAME_SIZE / Math.max(1, bytes - before.bytes));
    metrics.put(CaseResult.RECORDS, count);
    return metrics;
  }
}

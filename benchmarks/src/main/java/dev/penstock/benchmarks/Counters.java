package dev.penstock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
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
 * @param allocated bytes of heap that each living thread of this JVM has taken, without the one
 *     that asks
 */
record Counters(long nanos, long records, long bytes, long cpuNanos, Map<Long, Long> allocated) {
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

  private static Map<Long, Long> allocatedByOthers() {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long[] ids = threads.getAllThreadIds();
    long[] allocated = threads.getThreadAllocatedBytes(ids);
    Map<Long, Long> byThread = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      // Less than nothing means that the thread has ended meanwhile.
      if (allocated[i] >= 0) {
        byThread.put(ids[i], allocated[i]);
      }
    }
    byThread.remove(Thread.currentThread().getId());
    return byThread;
  }

  /** By the threads that still live: those of a case do, from before the measurement to its end. */
  private double allocatedSince(Counters before) {
    long sum = 0;
    for (Map.Entry<Long, Long> thread : allocated.entrySet()) {
      sum += thread.getValue() - before.allocated.getOrDefault(thread.getKey(), 0L);
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
    double taken = allocatedSince(before);
    metrics.put("allocated_b_per_record", taken / Math.max(1, count));
    metrics.put(
        "allocated_b_per_32k", taken * Workload.FRAME_SIZE / Math.max(1, bytes - before.bytes));
    metrics.put(CaseResult.RECORDS, count);
    return metrics;
  }
}

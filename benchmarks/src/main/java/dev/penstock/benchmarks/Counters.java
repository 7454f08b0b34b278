package dev.penstock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
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
 */
record Counters(long nanos, long records, long bytes, long cpuNanos) {
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
    return new Counters(System.nanoTime(), records, bytes, system.getProcessCpuTime());
  }

  Map<String, Double> since(Counters before) {
    double seconds = (nanos - before.nanos) / NANOS_PER_SECOND;
    double count = records - before.records;
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("mb_per_s", (bytes - before.bytes) / BYTES_PER_MEGABYTE / seconds);
    metrics.put("records_per_s", count / seconds);
    metrics.put("cpu_ns_per_record", (cpuNanos - before.cpuNanos) / Math.max(1, count));
    metrics.put(CaseResult.RECORDS, count);
    return metrics;
  }
}

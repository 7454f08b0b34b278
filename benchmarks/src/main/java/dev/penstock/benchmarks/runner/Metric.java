package dev.penstock.benchmarks.runner;

import java.util.Arrays;
import java.util.Optional;

/** What cases measure: the name in a case's output, and how results call it. */
enum Metric {
  THROUGHPUT("mb_per_s", "throughput", "MB/s"),
  RECORD_RATE("records_per_s", "record_rate", "records/s"),
  CPU_TIME("cpu_ns_per_record", "cpu_time", "ns/record"),
  ALLOCATED("allocated_b_per_record", "allocation", "B/record"),
  ALLOCATED_PER_FRAME("allocated_b_per_32k", "allocation_per_frame", "B/32 KiB"),
  P50("p50_us", "latency_p50", "us"),
  P90("p90_us", "latency_p90", "us"),
  P99("p99_us", "latency_p99", "us"),
  P999("p999_us", "latency_p99.9", "us"),
  MAX("max_us", "latency_max", "us"),
  PAUSE("pause_ms", "pause", "ms"),
  MAX_PAUSE("max_pause_ms", "pause_max", "ms"),
  OUTPUT_PEAK("output_peak_mib", "memory_output_peak", "MiB"),
  INPUT_PEAK("input_peak_mib", "memory_input_peak", "MiB");

  private final String key;
  private final String label;
  private final String unit;

  Metric(String key, String label, String unit) {
    this.key = key;
    this.label = label;
    this.unit = unit;
  }

  /** The metric of a name in a case's output; other names are for the log alone. */
  static Optional<Metric> ofKey(String key) {
    return Arrays.stream(values()).filter(metric -> metric.key.equals(key)).findFirst();
  }

  /** Whether ratios say anything: what allocates next to nothing is no measure for others. */
  boolean isComparable() {
    return this != ALLOCATED && this != ALLOCATED_PER_FRAME;
  }

  String key() {
    return key;
  }

  String label() {
    return label;
  }

  String unit() {
    return unit;
  }
}

package dev.penstock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Runs one case in this JVM: starts both halves, warms up, measures, stops, and checks that nothing
 * was lost.
 */
final class CaseRun {
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(30);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  /**
   * Time for the halves to connect before the first paced record is due, more when a JVM has to
   * start.
   */
  private static final Duration LEAD = Duration.ofMillis(200);

  private final CaseOptions options;
  private final Workload workload;

  CaseRun(CaseOptions options) {
    this.options = options;
    this.workload = options.workload();
  }

  CaseResult run() throws Exception {
    try (MessageSystem system = options.newSystem()) {
      return workload.paced() ? latency(system) : throughput(system);
    }
  }

  private CaseResult throughput(MessageSystem system) throws Exception {
    Receivers<CountingSink> receivers = new Receivers<>(workload.channels(), CountingSink::new);
    try (Sending sending = open(system, receivers)) {
      sending.start(schedule());
      pause(options.warmUp(), sending, receivers);
      Sample before = Sample.take(receivers.all());
      pause(options.measure(), sending, receivers);
      Sample after = Sample.take(receivers.all());
      Totals sent = sending.stop(STOP_DEADLINE);
      receivers.await(STOP_DEADLINE);
      verify(sent, receivers.all().stream().map(CountingSink::totals).toList());
      return new CaseResult(system.version(), after.since(before));
    }
  }

  private CaseResult latency(MessageSystem system) throws Exception {
    Receivers<LatencySink> receivers = new Receivers<>(workload.channels(), LatencySink::new);
    try (Sending sending = open(system, receivers)) {
      Schedule schedule = schedule();
      receivers.onEach(sink -> sink.use(schedule));
      sending.start(schedule);
      Duration time = Duration.ofNanos(schedule.recordUntil() - System.nanoTime());
      pause(time, sending, receivers);
      Totals sent = sending.stop(STOP_DEADLINE);
      receivers.await(STOP_DEADLINE);
      verify(sent, receivers.all().stream().map(LatencySink::totals).toList());
      return new CaseResult(system.version(), percentiles(receivers.all()));
    }
  }

  private Schedule schedule() {
    return Schedule.startingIn(LEAD, options.warmUp(), options.measure());
  }

  private Sending open(MessageSystem system, Sinks sinks) throws Exception {
    String endpoint = system.listen(workload, sinks);
    if (workload.processes() > 1) {
      return new RemoteSending(options.sendingTo(endpoint));
    }
    system.connect(workload, endpoint);
    return new LocalSending(system, workload);
  }

  /** Waits, and notices within a second when a half has failed. */
  private static void pause(Duration time, Sending sending, Receivers<?> receivers)
      throws Exception {
    long end = System.nanoTime() + time.toNanos();
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      Thread.sleep(Math.min(1000, Math.max(1, left / 1_000_000)));
      sending.check();
      receivers.check();
    }
  }

  private static void verify(Totals sent, List<Totals> parts) {
    Totals received = parts.stream().reduce(Totals.NONE, Totals::plus);
    if (!received.equals(sent)) {
      throw new IllegalStateException("sent " + sent + ", received " + received);
    }
  }

  private static Map<String, Double> percentiles(List<LatencySink> sinks) {
    Histogram all = new Histogram(3);
    sinks.forEach(sink -> all.add(sink.histogram()));
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("p50_us", all.getValueAtPercentile(50) / NANOS_PER_MICRO);
    metrics.put("p90_us", all.getValueAtPercentile(90) / NANOS_PER_MICRO);
    metrics.put("p99_us", all.getValueAtPercentile(99) / NANOS_PER_MICRO);
    metrics.put("p999_us", all.getValueAtPercentile(99.9) / NANOS_PER_MICRO);
    metrics.put("max_us", all.getMaxValue() / NANOS_PER_MICRO);
    metrics.put(CaseResult.RECORDS, (double) all.getTotalCount());
    return metrics;
  }

  /** Counters at one moment. */
  private record Sample(long nanos, long records, long bytes, long cpuNanos) {

    static Sample take(List<CountingSink> sinks) {
      long records = 0;
      long bytes = 0;
      for (CountingSink sink : sinks) {
        records += sink.records();
        bytes += sink.bytes();
      }
      OperatingSystemMXBean system =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      return new Sample(System.nanoTime(), records, bytes, system.getProcessCpuTime());
    }

    Map<String, Double> since(Sample before) {
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
}

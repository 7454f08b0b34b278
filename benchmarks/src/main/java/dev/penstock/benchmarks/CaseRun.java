package dev.penstock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * Runs one case in this JVM: starts both halves, warms up, measures, stops, and checks that nothing
 * was lost.
 */
final class CaseRun {
  private static final Duration START_DEADLINE = Duration.ofSeconds(30);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(20);
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_CUTS = Duration.ofSeconds(1);
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  /** Time for the producer threads to start before the first paced record is due. */
  private static final Duration LEAD = Duration.ofMillis(200);

  private final CaseOptions options;
  private final Workload workload;

  /** Set before any sink is made, so that a slow one can ask how far the others are. */
  private Receivers<CountingSink> counted;

  private volatile boolean ending;

  CaseRun(CaseOptions options) {
    this.options = options;
    this.workload = options.workload();
  }

  CaseResult run() throws Exception {
    try (MessageSystem system = options.newSystem()) {
      Map<String, Double> metrics = new LinkedHashMap<>(measure(system));
      metrics.putAll(system.metrics());
      return new CaseResult(system.version(), metrics);
    }
  }

  private Map<String, Double> measure(MessageSystem system) throws Exception {
    if (workload.has(Trait.CUTS)) {
      return pauses(system);
    }
    return workload.paced() ? latency(system) : throughput(system);
  }

  private Map<String, Double> throughput(MessageSystem system) throws Exception {
    Receivers<CountingSink> receivers = new Receivers<>(workload.channels(), this::newCountingSink);
    counted = receivers;
    try (Sending sending = open(system, receivers)) {
      sending.start(schedule());
      awaitFirstRecord(sending, receivers);
      pause(options.warmUp(), sending, receivers);
      Counters before = Counters.read(receivers.all());
      pause(options.measure(), sending, receivers);
      Counters after = Counters.read(receivers.all());
      end(sending, receivers, CountingSink::totals);
      return after.since(before);
    }
  }

  /** Starting two JVMs on a busy machine takes longer than some warm-ups. */
  private static void awaitFirstRecord(Sending sending, Receivers<CountingSink> receivers)
      throws Exception {
    long deadline = System.nanoTime() + START_DEADLINE.toNanos();
    while (Counters.read(receivers.all()).records() == 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("no record arrived within " + START_DEADLINE);
      }
      pause(CHECK_INTERVAL, sending, receivers);
    }
  }

  private CountingSink newCountingSink(int consumer) {
    boolean counts = consumer != 0 || !workload.has(Trait.OTHERS_COUNT);
    return !counts && workload.has(Trait.SLOW_CONSUMER)
        ? new SlowSink(this::averageOfOthers, () -> ending)
        : new CountingSink(counts);
  }

  private long averageOfOthers() {
    long records =
        counted.all().stream().filter(CountingSink::counts).mapToLong(CountingSink::records).sum();
    return records / (workload.consumers() - 1);
  }

  private Map<String, Double> latency(MessageSystem system) throws Exception {
    Receivers<LatencySink> receivers =
        new Receivers<>(workload.channels(), consumer -> new LatencySink());
    try (Sending sending = open(system, receivers)) {
      Schedule schedule = schedule();
      receivers.onEach(sink -> sink.use(schedule));
      sending.start(schedule);
      Duration time = Duration.ofNanos(schedule.recordUntil() - System.nanoTime());
      pause(time, sending, receivers);
      end(sending, receivers, LatencySink::totals);
      return percentiles(receivers.all());
    }
  }

  private Map<String, Double> pauses(MessageSystem system) throws Exception {
    Receivers<PauseSink> receivers =
        new Receivers<>(workload.channels(), consumer -> new PauseSink());
    List<Double> longest = new ArrayList<>();
    try (Sending sending = open(system, receivers)) {
      sending.start(schedule());
      pause(options.warmUp(), sending, receivers);
      takeLongest(receivers);
      for (long left = options.measure().dividedBy(BETWEEN_CUTS); left > 0; left--) {
        system.cut();
        pause(BETWEEN_CUTS, sending, receivers);
        longest.add(takeLongest(receivers));
      }
      end(sending, receivers, PauseSink::totals);
    }
    longest.sort(null);
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("pause_ms", longest.get(longest.size() / 2));
    metrics.put("max_pause_ms", longest.get(longest.size() - 1));
    metrics.put(CaseResult.RECORDS, (double) longest.size());
    return metrics;
  }

  private static double takeLongest(Receivers<PauseSink> receivers) {
    return receivers.all().stream().mapToLong(PauseSink::takeLongest).max().orElse(0)
        / NANOS_PER_MILLI;
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

  private <S extends RecordSink> void end(
      Sending sending, Receivers<S> receivers, Function<S, Totals> totals) throws Exception {
    ending = true;
    Totals sent = sending.stop(STOP_DEADLINE);
    receivers.await(STOP_DEADLINE);
    Totals received = receivers.all().stream().map(totals).reduce(Totals.NONE, Totals::plus);
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
}

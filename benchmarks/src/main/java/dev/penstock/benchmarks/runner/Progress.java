package dev.penstock.benchmarks.runner;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * Says what runs and what came out, one line per case; on a terminal the line of the running case
 * counts along.
 */
final class Progress {
  private static final String TO_START_OF_LINE = "\r";
  private static final String ERASE_LINE = "\u001b[2K";

  private final PrintStream out;
  private final boolean terminal;
  private final int total;
  private final Duration perCase;
  private int done;
  private long startedNanos;

  Progress(PrintStream out, boolean terminal, int total, Duration perCase) {
    this.out = out;
    this.terminal = terminal;
    this.total = total;
    this.perCase = perCase;
  }

  void note(String text) {
    out.println(text);
  }

  void skip(int count) {
    done += count;
  }

  void start(Case running) {
    startedNanos = System.nanoTime();
    tick(running);
  }

  void tick(Case running) {
    if (terminal) {
      long seconds = Duration.ofNanos(System.nanoTime() - startedNanos).toSeconds();
      out.print(
          TO_START_OF_LINE
              + ERASE_LINE
              + line(running, seconds + " s of about " + perCase.toSeconds() + " s, " + left()));
      out.flush();
    }
  }

  void end(Case ended, String outcome) {
    if (terminal) {
      out.print(TO_START_OF_LINE + ERASE_LINE);
    }
    String text = line(ended, outcome);
    done++;
    out.println(text + (done < total ? "   " + left() : ""));
  }

  private String line(Case shown, String rest) {
    return String.format(
        Locale.ROOT,
        "[%3d/%d] %-14s %-15s %s",
        done + 1,
        total,
        shown.workload().name(),
        shown.system().id(),
        rest);
  }

  private String left() {
    long minutes = perCase.multipliedBy(total - done).plusSeconds(59).toMinutes();
    return "about " + minutes + " min left";
  }

  /** The figures of a case, the important ones. */
  static String describe(Map<String, Double> metrics) {
    if (metrics.containsKey(Metric.THROUGHPUT.key())) {
      return String.format(
          Locale.ROOT,
          "%,8.0f MB/s  %6.2f M records/s  %,8.0f ns CPU/record",
          metrics.get(Metric.THROUGHPUT.key()),
          metrics.get(Metric.RECORD_RATE.key()) / 1e6,
          metrics.get(Metric.CPU_TIME.key()));
    }
    if (metrics.containsKey(Metric.PAUSE.key())) {
      return String.format(
          Locale.ROOT,
          "%,8.1f ms pause  %,8.1f ms longest pause",
          metrics.get(Metric.PAUSE.key()),
          metrics.get(Metric.MAX_PAUSE.key()));
    }
    return String.format(
        Locale.ROOT,
        "%,8.0f µs p50  %,8.0f µs p99  %,8.0f µs max",
        metrics.get(Metric.P50.key()),
        metrics.get(Metric.P99.key()),
        metrics.get(Metric.MAX.key()));
  }
}

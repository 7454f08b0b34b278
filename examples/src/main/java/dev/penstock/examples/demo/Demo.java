package dev.penstock.examples.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Starts two producers' and two consumers' JVMs, has them exchange records, and checks that every
 * record came once. The exit code is 0 only if all is well.
 */
public final class Demo {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long SECONDS = 10;
  private static final long WARM_UP_SECONDS = 2;
  private static final long RECORDS_PER_SECOND = 10_000;

  private final Cluster cluster;
  private final List<String> faults = new ArrayList<>();
  private int cut;

  private Demo(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Runs the demo; {@code -Dpenstock.demo.input=FILE} names a text file to take records from.
   *
   * @param args none
   */
  public static void main(String[] args) {
    boolean well = false;
    try (Cluster cluster = Cluster.start(System.getProperty("penstock.demo.input", ""))) {
      well = new Demo(cluster).run();
    } catch (DemoFailure | IOException e) {
      System.err.println("\nThe demo failed: " + e.getMessage());
    } catch (InterruptedException e) {
      System.err.println("\nThe demo was interrupted");
    }
    System.exit(well ? 0 : 1);
  }

  private boolean run() throws IOException, InterruptedException {
    print("2 + 2 JVMs, 4 producers, 4 consumers, 16 channels");
    cluster.connectThroughProxies();
    long start = System.nanoTime() + SECOND;
    PhaseResult full =
        cluster.run(
            new Phase(1, 0, start, start, start + SECONDS * SECOND),
            cutOnce(start + SECONDS * SECOND / 2, progress("full speed", start)));
    double seconds = (full.lastNanos() - start) / (double) SECOND;
    long alreadyTaken = full.received().records();

    cluster.connectDirectly();
    long pacedStart = System.nanoTime() + SECOND;
    long measure = pacedStart + WARM_UP_SECONDS * SECOND;
    LongConsumer progress = progress("paced", pacedStart);
    PhaseResult paced =
        cluster.run(
            new Phase(
                2,
                RECORDS_PER_SECOND / Cluster.GATES,
                pacedStart,
                measure,
                measure + SECONDS * SECOND),
            taken -> progress.accept(taken - alreadyTaken));
    cluster.quit();
    return report(full, seconds, paced);
  }

  /** Cuts all connections once when it is time. */
  private LongConsumer cutOnce(long atNanos, LongConsumer then) {
    return taken -> {
      if (cut == 0 && taken > 0 && System.nanoTime() - atNanos > 0) {
        cut = cluster.cut();
        print("\ncut " + cut + " connections");
      }
      then.accept(taken);
    };
  }

  private static LongConsumer progress(String phase, long start) {
    AtomicInteger printed = new AtomicInteger(-1);
    return taken -> {
      double seconds = (System.nanoTime() - start) / (double) SECOND;
      if (seconds > 0 && printed.getAndSet((int) (seconds * 4)) != (int) (seconds * 4)) {
        System.out.printf(
            Locale.ROOT,
            "\r%-10s %5.1f s %,13d records %,10.0f/s ",
            phase,
            seconds,
            taken,
            taken / seconds);
        System.out.flush();
      }
    };
  }

  private boolean report(PhaseResult full, double seconds, PhaseResult paced) {
    faults.addAll(full.faults());
    faults.addAll(paced.faults());
    // Both ends of a lane count its resumption; a lane that did not resume would be missing.
    long resumed = paced.resumes() / 2;
    if (cut == 0) {
      faults.add("no connection was cut");
    } else if (resumed < cut) {
      faults.add(cut + " connections were cut, " + resumed + " resumed");
    }
    Tally fullTally = full.received();
    Tally pacedTally = paced.received();
    double megabytes = fullTally.bytes() / 1e6 / seconds;
    Histogram latencies = paced.latencies();
    print("\n");
    print(
        "full speed      %,d records, %,d bytes of text in %.1f s: %,.0f records/s, %.1f MB/s",
        fullTally.records(), fullTally.bytes(), seconds, fullTally.records() / seconds, megabytes);
    print(
        "paced           %,d records at %,d/s; one-way latency in µs: %s",
        pacedTally.records(), RECORDS_PER_SECOND, percentiles(latencies));
    print(
        "connections     %d cut, %d resumed, %,d frames retransmitted",
        cut, resumed, paced.retransmitted());
    print("on the wire     %,d bytes", paced.bytesOnTheWire());
    print(
        "memory, peak    %,d bytes of logs in a producers' JVM, %,d bytes of credit in a"
            + " consumers'",
        paced.outputPeak(), paced.inputPeak());
    print(
        "checksums       full speed %016x, paced %016x",
        fullTally.checksum(), pacedTally.checksum());
    faults.forEach(fault -> System.err.println("WRONG: " + fault));
    print(
        "RESULT records=%d lost=%d duplicated=%d resumed=%d mb_per_s=%.1f p50_us=%d p99_us=%d",
        fullTally.records() + pacedTally.records(),
        full.lost() + paced.lost(),
        fullTally.duplicated() + pacedTally.duplicated(),
        resumed,
        megabytes,
        micros(latencies, 50),
        micros(latencies, 99));
    return faults.isEmpty();
  }

  private static String percentiles(Histogram latencies) {
    return String.format(
        Locale.ROOT,
        "50 %% %,d, 90 %% %,d, 99 %% %,d, 99.9 %% %,d, max %,d",
        micros(latencies, 50),
        micros(latencies, 90),
        micros(latencies, 99),
        micros(latencies, 99.9),
        micros(latencies, 100));
  }

  private static long micros(Histogram latencies, double percentile) {
    return TimeUnit.NANOSECONDS.toMicros(latencies.getValueAtPercentile(percentile));
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}

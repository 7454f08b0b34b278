package dev.penstock.spark.demo;

import static org.apache.spark.sql.functions.col;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Two executors in JVMs of their own, 1,000 rows a second, repartitioned and then deduplicated by
 * key: in Real-Time Mode, then as micro-batches. Prints how long rows were under way and fails
 * unless each key came out exactly once.
 */
public final class SparkDemo {
  private static final int PARTITIONS = 2;
  private static final int PER_SECOND = 500;
  private static final long PATIENCE_MILLIS = 240_000;

  private final SparkSession spark;
  private static final int START_SECONDS = 10;

  private final int warmUp;
  private final Path checkpoints;

  private SparkDemo(SparkSession spark, int warmUp, Path checkpoints) {
    this.checkpoints = checkpoints;
    this.spark = spark;
    this.warmUp = warmUp;
  }

  /** Runs both. */
  public static void main(String[] args) throws Exception {
    int seconds = Integer.getInteger("penstock.demo.seconds", 30);
    int warmUp = Integer.getInteger("penstock.demo.warmUp", 10);
    prepareHome();
    SparkSession spark =
        SparkSession.builder()
            .master("local-cluster[2,4,900]")
            .appName("penstock-demo")
            .config("spark.plugins", "dev.penstock.spark.PenstockPlugin")
            .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .config("spark.executor.memory", "900m")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "localhost")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", PARTITIONS)
            .getOrCreate();
    int wrong;
    boolean measured;
    String result;
    Path checkpoints = Files.createTempDirectory("penstock-demo");
    try (spark) {
      SparkDemo demo = new SparkDemo(spark, warmUp, checkpoints);
      System.out.println("starting executors and loading classes");
      var unused = demo.run("warm-up", Trigger.RealTime("300 seconds"), PER_SECOND * 5, false);
      int keys = (START_SECONDS + warmUp + seconds) * PER_SECOND;
      Outcome realTime = demo.run("Real-Time Mode", Trigger.RealTime("300 seconds"), keys, true);
      Outcome micro = demo.run("micro-batches", Trigger.ProcessingTime(0), keys, true);
      System.out.println();
      System.out.println(Outcome.header());
      System.out.println(realTime.row());
      System.out.println(micro.row());
      measured = realTime.percentile(0.5) >= 0 && micro.percentile(0.5) >= 0;
      if (!measured) {
        System.out.println("this machine was too slow: nothing was left to measure after warm-up");
      }
      wrong = realTime.wrong() + micro.wrong();
      result =
          String.format(
              Locale.ROOT,
              "RESULT rtm_p50_ms=%d rtm_p99_ms=%d microbatch_p50_ms=%d rows=%d wrong=%d",
              realTime.percentile(0.5),
              realTime.percentile(0.99),
              micro.percentile(0.5),
              realTime.rows() + micro.rows(),
              wrong);
    }
    delete(checkpoints);
    System.out.println(result);
    System.exit(wrong == 0 && measured ? 0 : 1);
  }

  private static void prepareHome() throws IOException {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    if (!Files.exists(home.resolve("RELEASE"))) {
      Files.createFile(home.resolve("RELEASE"));
    }
  }

  private Outcome run(String name, Trigger trigger, int keys, boolean show) throws Exception {
    if (show) {
      System.out.println();
      System.out.println(
          name + ": " + keys + " keys, each made twice, in " + keys / PER_SECOND + " s");
    }
    try (Collector collector = new Collector()) {
      StreamingQuery query =
          spark
              .readStream()
              .format(TickSource.class.getName())
              .option("partitions", PARTITIONS)
              .option("perSecond", PER_SECOND)
              .option("rows", keys)
              .load()
              .repartition(PARTITIONS, col("id"))
              .withColumn("key", col("id").divide(PARTITIONS).cast("long"))
              .dropDuplicates("key")
              .select("key", "created")
              .writeStream()
              .foreach(new CollectorSink(collector.port()))
              .outputMode("update")
              .option("checkpointLocation", checkpoints.resolve(name).toString())
              .trigger(trigger)
              .start();
      watch(query, collector, keys, show);
      query.stop();
      if (query.exception().isDefined()) {
        throw query.exception().get();
      }
      return outcome(name, collector.seen(), keys);
    }
  }

  /** One line a second. */
  private static void watch(StreamingQuery query, Collector collector, int keys, boolean show)
      throws InterruptedException {
    long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
    int before = 0;
    while (query.isActive() && collector.count() < keys) {
      if (System.currentTimeMillis() > deadline) {
        System.out.println("  gave up waiting after " + PATIENCE_MILLIS / 1000 + " s");
        return;
      }
      Thread.sleep(1_000);
      List<Collector.Seen> all = collector.seen();
      if (show && all.size() > before) {
        Outcome last = new Outcome("", latencies(all.subList(before, all.size())), 0, 0);
        System.out.printf(
            Locale.ROOT,
            "  %6d keys, in the last second p50 %d ms, max %d ms%n",
            all.size(),
            last.percentile(0.5),
            last.percentile(1));
      }
      before = all.size();
    }
  }

  private Outcome outcome(String name, List<Collector.Seen> seen, int keys) {
    Map<Long, Integer> counts = new HashMap<>();
    for (Collector.Seen row : seen) {
      counts.merge(row.id(), 1, Integer::sum);
    }
    int wrong = 0;
    for (long key = 0; key < keys; key++) {
      wrong += Math.abs(counts.getOrDefault(key, 0) - 1);
    }
    wrong += (int) counts.keySet().stream().filter(key -> key < 0 || key >= keys).count();
    long first = seen.stream().mapToLong(Collector.Seen::received).min().orElse(0);
    List<Collector.Seen> warm =
        seen.stream().filter(row -> row.created() >= first + warmUp * 1000L).toList();
    return new Outcome(name, latencies(warm), seen.size(), wrong);
  }

  private static List<Long> latencies(List<Collector.Seen> rows) {
    return new ArrayList<>(rows.stream().map(Collector.Seen::latencyMillis).sorted().toList());
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      files
          .sorted(java.util.Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.deleteIfExists(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  /** What came out, and how long it took, after warm-up. */
  private record Outcome(String name, List<Long> sortedMillis, int rows, int wrong) {
    static String header() {
      return "| after warm-up | p50 ms | p90 ms | p99 ms | max ms | rows |\n"
          + "| --- | --- | --- | --- | --- | --- |";
    }

    long percentile(double share) {
      if (sortedMillis.isEmpty()) {
        return -1;
      }
      return sortedMillis.get((int) Math.min(sortedMillis.size() - 1, share * sortedMillis.size()));
    }

    String row() {
      return String.format(
          Locale.ROOT,
          "| %s | %d | %d | %d | %d | %d |",
          name,
          percentile(0.5),
          percentile(0.9),
          percentile(0.99),
          percentile(1),
          rows);
    }
  }
}

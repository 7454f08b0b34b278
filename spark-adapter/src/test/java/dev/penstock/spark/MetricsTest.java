package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** What people see in Spark's metric system and in the log. */
@Timeout(180)
class MetricsTest {
  private static final Pattern SUMMARY =
      Pattern.compile("shuffle \\d+, generation .*: (COMPLETE|CLOSED|FAILED) after \\d+ ms, .*");

  private static final AtomicInteger FAILURES = new AtomicInteger();

  private static JavaPairRDD<Integer, Integer> shuffled(LocalSpark spark, int rows) {
    return spark
        .rdds()
        .parallelize(IntStream.range(0, rows).boxed().toList(), 2)
        .mapToPair(n -> new Tuple2<>(n, n))
        .partitionBy(new HashPartitioner(3));
  }

  /**
   * The value of each of our metrics, by its name. In local mode those of the executor come without
   * the application's name, which is not known when it starts.
   */
  private static Map<String, Long> scrape(LocalSpark spark) throws Exception {
    String ui = spark.sql().sparkContext().uiWebUrl().get();
    String page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(ui + "/metrics/prometheus/")).build(),
                BodyHandlers.ofString())
            .body();
    Map<String, Long> values = new HashMap<>();
    Matcher line =
        Pattern.compile(
                "(?m)^metrics_(?:\\w+_)?plugin_dev_penstock_spark_PenstockPlugin_(\\w+?)_(Count|Value|Number)"
                    + "\\{[^}]*\\} (\\d+)")
            .matcher(page);
    while (line.find()) {
      values.put(line.group(1), Long.valueOf(line.group(3)));
    }
    assertThat(values)
        .as(page.lines().filter(l -> l.contains("plugin")).toList().toString())
        .isNotEmpty();
    return values;
  }

  @Test
  void shouldShowExactFiguresInThePrometheusSink() throws Exception {
    try (LocalSpark spark =
        new LocalSpark(
            8,
            Map.of(
                "spark.ui.enabled",
                "true",
                "spark.ui.port",
                "0",
                "spark.metrics.conf.*.sink.prometheusServlet.class",
                "org.apache.spark.metrics.sink.PrometheusServlet",
                "spark.metrics.conf.*.sink.prometheusServlet.path",
                "/metrics/prometheus"))) {
      assertThat(shuffled(spark, 10_000).count()).isEqualTo(10_000);
      // Each reading task takes one row and leaves the rest.
      assertThat(
              shuffled(spark, 3_000)
                  .mapPartitions(it -> List.of(it.next()._2()).iterator())
                  .collect())
          .hasSize(3);
      spark.waitForListeners();

      Map<String, Long> seen = scrape(spark);
      assertThat(seen)
          .containsEntry("shufflesPipelined", 2L)
          .containsEntry("shufflesSort", 0L)
          .containsEntry("shufflesFellBack", 0L)
          .containsEntry("generationsStarted", 2L)
          .containsEntry("generationsFailed", 0L)
          .containsEntry("recordsRead", 10_000L + 3)
          .containsEntry("activeReaders", 0L)
          .containsKeys("requests", "bytesWritten", "writerBlockedMillis", "activeWriters");
      assertThat(seen.get("recordsWritten")).isBetween(10_003L, 13_000L);
      assertThat(seen.get("bytesRead")).isPositive().isLessThanOrEqualTo(seen.get("bytesWritten"));
    }
  }

  @Test
  void shouldLogOneSummaryForEachGenerationHoweverItEnds() {
    List<String> lines;
    try (LogLines log = new LogLines()) {
      try (LocalSpark spark = new LocalSpark("local[8,4]", Map.of())) {
        assertThat(shuffled(spark, 1_000).count()).isEqualTo(1_000);
        assertThat(
                shuffled(spark, 300_000)
                    .mapPartitions(it -> List.of(it.next()._2()).iterator())
                    .collect())
            .hasSize(3);
        // One fails while it is written, one when it was complete.
        FAILURES.set(1);
        assertThat(
                spark
                    .rdds()
                    .parallelize(List.of(1, 2, 3), 1)
                    .mapToPair(n -> new Tuple2<>(n, n == 3 ? failOnce(n) : n))
                    .partitionBy(new HashPartitioner(3))
                    .count())
            .isEqualTo(3);
        FAILURES.set(1);
        assertThat(
                shuffled(spark, 1_000)
                    .mapPartitions(
                        it -> {
                          List<Integer> rows = new java.util.ArrayList<>();
                          it.forEachRemaining(row -> rows.add(row._2()));
                          failOnce(0);
                          return rows.iterator();
                        })
                    .count())
            .isEqualTo(1_000);
        spark.waitForListeners();
      }
      lines = log.all();
    }
    Map<String, Integer> ends = new HashMap<>();
    for (String line : lines) {
      Matcher summary = SUMMARY.matcher(line);
      if (summary.matches()) {
        ends.merge(summary.group(1), 1, Integer::sum);
      }
    }
    assertThat(ends.values().stream().mapToInt(n -> n).sum()).as(ends.toString()).isEqualTo(4);
    assertThat(lines).filteredOn(line -> line.contains("4 shuffles pipelined")).hasSize(1);
  }

  private static int failOnce(int value) {
    if (FAILURES.getAndDecrement() > 0) {
      throw new IllegalStateException("planted failure");
    }
    return value;
  }
}

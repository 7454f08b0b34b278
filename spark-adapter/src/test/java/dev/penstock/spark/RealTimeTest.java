package dev.penstock.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spark.demo.Collector;
import dev.penstock.spark.demo.CollectorSink;
import dev.penstock.spark.demo.TickSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real-Time Mode on two executors in JVMs of their own. */
@Tag("spark-suites")
@Timeout(240)
class RealTimeTest {
  private static LocalSpark spark;
  private Figures before;
  @TempDir Path checkpoint;

  @BeforeAll
  static void start() {
    spark =
        LocalSpark.cluster(
            4,
            Map.of(
                "spark.penstock.mode",
                "streaming",
                "spark.sql.streaming.realTimeMode.minBatchDuration",
                "1000"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void look() {
    before = spark.figures();
  }

  private static Dataset<Row> ticks(int rows) {
    return spark
        .sql()
        .readStream()
        .format(TickSource.class.getName())
        .option("partitions", 2)
        .option("perSecond", 100)
        .option("rows", rows)
        .load();
  }

  private StreamingQuery start(Dataset<Row> rows, Collector collector) throws TimeoutException {
    return rows.writeStream()
        .foreach(new CollectorSink(collector.port()))
        .outputMode("update")
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.RealTime("3 seconds"))
        .start();
  }

  private static void await(Collector collector, StreamingQuery query, int rows)
      throws InterruptedException {
    while (collector.count() < rows && query.isActive()) {
      Thread.sleep(20);
    }
  }

  private List<Long> run(int rows, int expected, Function<Dataset<Row>, Dataset<Row>> plan)
      throws Exception {
    try (Collector collector = new Collector()) {
      StreamingQuery query = start(plan.apply(ticks(rows)), collector);
      await(collector, query, expected);
      query.processAllAvailable();
      query.stop();
      assertThat(query.exception().isEmpty()).isTrue();
      return collector.seen().stream().map(Collector.Seen::id).sorted().toList();
    }
  }

  private static List<Long> upTo(int rows) {
    return LongStream.range(0, rows).boxed().toList();
  }

  @Test
  void shouldRepartition() throws Exception {
    assertThat(run(250, 500, rows -> rows.repartition(3, col("id")))).isEqualTo(upTo(500));
    assertThat(spark.figures().since(before).fellBack()).isZero();
    assertThat(spark.figures().since(before).completed()).isPositive();
  }

  @Test
  void shouldDropDuplicatesAfterARepartition() throws Exception {
    assertThat(
            run(
                250,
                250,
                rows ->
                    rows.withColumn("id", col("id").divide(2).cast("long"))
                        .repartition(2, col("id"))
                        .dropDuplicates("id")))
        .isEqualTo(upTo(250));
    assertThat(spark.figures().since(before).fellBack()).isZero();
  }
}

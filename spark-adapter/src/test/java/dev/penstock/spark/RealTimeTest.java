package dev.penstock.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.timestamp_millis;
import static org.apache.spark.sql.functions.unix_seconds;
import static org.apache.spark.sql.functions.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spark.demo.Collector;
import dev.penstock.spark.demo.CollectorSink;
import dev.penstock.spark.demo.TickSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
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
  /** Of each of two source partitions. */
  private static final int ROWS = 200;

  private static LocalSpark spark;
  private Figures before;
  private long sortBefore;
  @TempDir Path directory;

  @BeforeAll
  static void start() {
    spark =
        LocalSpark.cluster(
            4,
            Map.of(
                "spark.penstock.mode",
                "streaming",
                "spark.sql.adaptive.enabled",
                "true",
                "spark.sql.shuffle.partitions",
                "2",
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
    sortBefore = DriverNode.currentOrNull().metrics().shufflesSort();
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
        .option("checkpointLocation", directory.resolve("checkpoint").toString())
        .trigger(Trigger.RealTime("2 seconds"))
        .start();
  }

  private static void await(StreamingQuery query, BooleanSupplier reached) throws Exception {
    while (!reached.getAsBoolean() && query.isActive()) {
      Thread.sleep(20);
    }
    if (query.exception().isDefined()) {
      throw query.exception().get();
    }
  }

  /** Holds the last rows of each source partition back until a row has come out below. */
  private Dataset<Row> overlapping(Dataset<Row> rows, int last) {
    String marker = directory.resolve("seen").toString();
    return rows.map(
        (MapFunction<Row, Row>)
            row -> {
              while (row.getLong(0) >= last && !Files.exists(Path.of(marker))) {
                TimeUnit.MILLISECONDS.sleep(10);
              }
              return row;
            },
        Encoders.row(rows.schema()));
  }

  /** Runs until the rows are in batches that are committed, so that no row is repeated later. */
  private void run(
      int rows, Function<Dataset<Row>, Dataset<Row>> plan, Collector collector, int expected)
      throws Exception {
    StreamingQuery query = start(plan.apply(ticks(rows)), collector);
    await(query, () -> collector.count() > 0);
    if (!Files.exists(directory.resolve("seen"))) {
      Files.createFile(directory.resolve("seen"));
    }
    String end = "," + rows + "," + rows + "]";
    await(
        query,
        () ->
            collector.count() >= expected
                && query.lastProgress() != null
                && query.lastProgress().sources()[0].endOffset().endsWith(end));
    query.stop();
    assertThat(query.exception().isEmpty()).isTrue();
  }

  /**
   * Runs a query whose rows come out at once, proves that its stages run together, stops it half
   * way and starts it again from its checkpoint.
   */
  private List<Long> run(int expected, Function<Dataset<Row>, Dataset<Row>> plan) throws Exception {
    try (Collector collector = new Collector()) {
      run(ROWS / 2, rows -> plan.apply(overlapping(rows, ROWS - 2)), collector, expected / 2);
      run(ROWS, rows -> plan.apply(overlapping(rows, ROWS - 2)), collector, expected);
      return collector.seen().stream().map(Collector.Seen::id).sorted().toList();
    }
  }

  /** Runs a query that counts, and so tells at the end of each batch what has changed. */
  private Map<Long, Long> count(Function<Dataset<Row>, Dataset<Row>> plan) throws Exception {
    try (Collector collector = new Collector()) {
      run(ROWS / 2, plan, collector, 1);
      run(ROWS, plan, collector, 1);
      return largest(collector);
    }
  }

  private static Map<Long, Long> largest(Collector collector) {
    Map<Long, Long> counts = new HashMap<>();
    collector.seen().forEach(row -> counts.merge(row.id(), row.created(), Math::max));
    return counts;
  }

  private static List<Long> upTo(int rows) {
    return LongStream.range(0, rows).boxed().toList();
  }

  /** Each key, so many times. */
  private static Map<Long, Long> each(int keys, long count) {
    Map<Long, Long> all = new HashMap<>();
    LongStream.range(0, keys).forEach(key -> all.put(key, count));
    return all;
  }

  /** Every shuffle went through Penstock; so many a batch. */
  private void assertPipelined(int shuffles) {
    Figures figures = spark.figures().since(before);
    assertThat(figures.fellBack()).isZero();
    // There were two starts, with a batch each at least.
    assertThat(figures.completed()).isGreaterThanOrEqualTo(2L * shuffles);
    assertThat(DriverNode.currentOrNull().metrics().shufflesSort()).isEqualTo(sortBefore);
  }

  /** Two rows for each key, made by different tasks. */
  private static Dataset<Row> pairs(Dataset<Row> rows) {
    return rows.withColumn("id", col("id").divide(2).cast("long"));
  }

  /** Event times that do not depend on when the test runs: ten rows in each second. */
  private static Dataset<Row> timed(Dataset<Row> rows) {
    return rows.withColumn("at", timestamp_millis(col("id").multiply(100)))
        .withWatermark("at", "1 hour");
  }

  private static Dataset<Row> names() {
    return spark.sql().range(0, 400, 1, 2).toDF("key").withColumn("name", col("key").plus(7_000));
  }

  @Test
  void shouldRepartition() throws Exception {
    assertThat(run(400, rows -> rows.repartition(3, col("id")))).isEqualTo(upTo(400));
    assertPipelined(1);
  }

  @Test
  void shouldRepartitionRoundRobin() throws Exception {
    assertThat(run(400, rows -> rows.repartition(3))).isEqualTo(upTo(400));
    assertPipelined(1);
  }

  @Test
  void shouldDropDuplicates() throws Exception {
    assertThat(run(200, rows -> pairs(rows).dropDuplicates("id"))).isEqualTo(upTo(200));
    assertPipelined(1);
  }

  @Test
  void shouldDropDuplicatesAfterARepartition() throws Exception {
    assertThat(run(200, rows -> pairs(rows).repartition(2, col("created")).dropDuplicates("id")))
        .isEqualTo(upTo(200));
    assertPipelined(2);
  }

  @Test
  void shouldDropDuplicatesWithinTheWatermark() throws Exception {
    assertThat(
            run(
                200,
                rows ->
                    pairs(timed(rows)).dropDuplicatesWithinWatermark("id").select("id", "created")))
        .isEqualTo(upTo(200));
    assertPipelined(1);
  }

  @Test
  void shouldCountByKey() throws Exception {
    Map<Long, Long> expected = each(20, 20);
    assertThat(
            count(rows -> rows.groupBy(col("id").mod(20).as("key")).count().toDF("id", "created")))
        .isEqualTo(expected);
    assertPipelined(1);
  }

  @Test
  void shouldCountInWindows() throws Exception {
    Map<Long, Long> expected = each(8, 50);
    assertThat(
            count(
                rows ->
                    timed(rows)
                        .groupBy(window(col("at"), "5 seconds"))
                        .count()
                        .select(
                            unix_seconds(col("window.start")).divide(5).cast("long"), col("count"))
                        .toDF("id", "created")))
        .isEqualTo(expected);
    assertPipelined(1);
  }

  @Test
  void shouldJoinAStaticTableThatIsBroadcast() throws Exception {
    assertThat(
            run(
                400,
                rows ->
                    rows.repartition(2, col("id"))
                        .join(broadcast(names()), col("id").equalTo(col("key")))
                        .select(col("name").minus(7_000).as("id"), col("created"))))
        .isEqualTo(upTo(400));
    assertPipelined(1);
  }

  @Test
  void shouldJoinAStaticTableThatIsShuffled() throws Exception {
    assertThat(
            run(
                400,
                rows ->
                    rows.join(names().hint("shuffle_hash"), col("id").equalTo(col("key")))
                        .select(col("name").minus(7_000).as("id"), col("created"))))
        .isEqualTo(upTo(400));
    assertPipelined(2);
  }
}

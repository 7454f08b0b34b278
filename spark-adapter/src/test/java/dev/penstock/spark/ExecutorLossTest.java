package dev.penstock.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spark.demo.Collector;
import dev.penstock.spark.demo.CollectorSink;
import dev.penstock.spark.demo.TickSource;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Executors that die in the middle of their work. */
@Tag("spark-suites")
@Timeout(300)
class ExecutorLossTest {
  private static LocalSpark spark;
  @TempDir Path directory;

  @BeforeAll
  static void start() {
    spark =
        LocalSpark.cluster(4, Map.of("spark.sql.streaming.realTimeMode.minBatchDuration", "1000"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  /** Kills this JVM at once, if nobody has done so before. */
  private static void dieOnce(String marker) throws IOException {
    try {
      Files.createFile(Path.of(marker));
    } catch (FileAlreadyExistsException e) {
      return;
    }
    Runtime.getRuntime().halt(137);
  }

  @Test
  void shouldFinishABatchJobThatLosesAWritersExecutor() {
    String marker = directory.resolve("died").toString();
    List<Integer> numbers = IntStream.range(0, 20_000).boxed().toList();
    Map<Integer, Integer> sums =
        spark
            .rdds()
            .parallelize(numbers, 2)
            .mapToPair(
                n -> {
                  if (n == 15_000) {
                    dieOnce(marker);
                  }
                  return new Tuple2<>(n % 97, n);
                })
            .groupByKey(3)
            .mapValues(
                all -> {
                  int sum = 0;
                  for (int n : all) {
                    sum += n;
                  }
                  return sum;
                })
            .collectAsMap();

    Map<Integer, Integer> expected = new HashMap<>();
    numbers.forEach(n -> expected.merge(n % 97, n, Integer::sum));
    assertThat(sums).isEqualTo(expected);
    assertThat(Files.exists(Path.of(marker))).isTrue();
  }

  @Test
  void shouldLoseNoRowOfARealTimeQueryThatIsStartedAgain() throws Exception {
    String marker = directory.resolve("died").toString();
    int rows = 800;
    try (Collector collector = new Collector()) {
      Set<Long> seen = new HashSet<>();
      int starts = 0;
      while (seen.size() < rows && starts < 5) {
        starts++;
        StreamingQuery query = startTicks(collector, marker, rows / 2);
        while (query.isActive() && seen.size() < rows) {
          Thread.sleep(50);
          collector.seen().forEach(row -> seen.add(row.id()));
        }
        query.stop();
      }
      assertThat(seen).hasSize(rows);
      assertThat(Files.exists(Path.of(marker))).isTrue();
      assertThat(starts).isGreaterThan(1);
    }
  }

  private StreamingQuery startTicks(Collector collector, String marker, int rows) throws Exception {
    return spark
        .sql()
        .readStream()
        .format(TickSource.class.getName())
        .option("partitions", 2)
        .option("perSecond", 100)
        .option("rows", rows)
        .load()
        .as(Encoders.tuple(Encoders.LONG(), Encoders.LONG()))
        .map(
            (MapFunction<Tuple2<Long, Long>, Tuple2<Long, Long>>)
                row -> {
                  if (row._1() == 500) {
                    dieOnce(marker);
                  }
                  return row;
                },
            Encoders.tuple(Encoders.LONG(), Encoders.LONG()))
        .toDF("id", "created")
        .repartition(2, col("id"))
        .writeStream()
        .foreach(new CollectorSink(collector.port()))
        .outputMode("update")
        .option("checkpointLocation", directory.resolve("checkpoint").toString())
        .trigger(Trigger.RealTime("2 seconds"))
        .start();
  }
}

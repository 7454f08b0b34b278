package dev.penstock.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spark.demo.Collector;
import dev.penstock.spark.demo.CollectorSink;
import dev.penstock.spark.demo.TickSource;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/**
 * Tasks and executors that die somewhere in the middle, on the writing or on the reading side. Runs
 * {@code penstock.kills} of each kind of job; what dies where follows from {@code
 * penstock.kills.seed}.
 */
@Tag("spark-suites")
@Timeout(400)
class RandomKillsTest {
  private static final int KILLS = Integer.getInteger("penstock.kills", 2);
  private static final int ROWS = 300;

  private static Random random;
  private static LocalSpark spark;
  @TempDir Path directory;
  private Figures before;

  @BeforeAll
  static void start() {
    long seed = Long.getLong("penstock.kills.seed", System.nanoTime());
    System.out.println("kills from seed " + seed + " (-Dpenstock.kills.seed)");
    random = new Random(seed);
    spark =
        LocalSpark.cluster(4, Map.of("spark.sql.streaming.realTimeMode.minBatchDuration", "1000"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void look() {
    before = spark.figures();
  }

  @AfterEach
  void leaveNothing() {
    spark.waitForJobs();
  }

  /** Fails the task, or ends this JVM at once, where this row comes by for the first time. */
  private record Kill(boolean executor, boolean reader, long row, String marker)
      implements Serializable {
    void pass(boolean reading, long at) throws IOException {
      if (reading != reader || at != row) {
        return;
      }
      try {
        Files.createFile(Path.of(marker));
      } catch (FileAlreadyExistsException e) {
        return;
      }
      if (executor) {
        Runtime.getRuntime().halt(137);
      }
      throw new IllegalStateException("planted failure at row " + row);
    }

    boolean hasHappened() {
      return Files.exists(Path.of(marker));
    }
  }

  /** With both executors there, so that what dies is in a pipelined shuffle. */
  private Kill next(String kind, int round, int rows) throws InterruptedException {
    while (spark.rdds().statusTracker().getExecutorInfos().length < 3) {
      Thread.sleep(50);
    }
    Kill kill =
        new Kill(
            random.nextInt(3) > 0,
            random.nextBoolean(),
            random.nextInt(rows),
            directory.resolve(kind + round).toString());
    System.out.println(kind + " " + round + ": " + kill);
    return kill;
  }

  @Test
  void shouldFinishBatchJobs() throws Exception {
    List<Integer> numbers = IntStream.range(0, 20_000).boxed().toList();
    Map<Integer, Integer> expected = new HashMap<>();
    numbers.forEach(n -> expected.merge(n % 97, n, Integer::sum));
    for (int round = 0; round < KILLS; round++) {
      Kill kill = next("batch", round, numbers.size());
      Map<Integer, Integer> sums =
          spark
              .rdds()
              .parallelize(numbers, 2)
              .mapToPair(
                  n -> {
                    kill.pass(false, n);
                    return new Tuple2<>(n % 97, n);
                  })
              .groupByKey(3)
              .mapValues(
                  all -> {
                    int sum = 0;
                    for (int n : all) {
                      kill.pass(true, n);
                      sum += n;
                    }
                    return sum;
                  })
              .collectAsMap();

      assertThat(sums).as(kill.toString()).isEqualTo(expected);
      assertThat(kill.hasHappened()).isTrue();
    }
    assertThat(spark.figures().since(before).pipelined()).isEqualTo(KILLS);
  }

  private StreamingQuery start(Collector collector, Kill kill, Trigger trigger) throws Exception {
    return spark
        .sql()
        .readStream()
        .format(TickSource.class.getName())
        .option("partitions", 2)
        .option("perSecond", 100)
        .option("rows", ROWS / 2)
        .load()
        .as(Encoders.tuple(Encoders.LONG(), Encoders.LONG()))
        .map(passing(kill, false), Encoders.tuple(Encoders.LONG(), Encoders.LONG()))
        .repartition(2, col("_1"))
        .map(passing(kill, true), Encoders.tuple(Encoders.LONG(), Encoders.LONG()))
        .toDF("id", "created")
        .writeStream()
        .foreach(new CollectorSink(collector.port()))
        .outputMode("update")
        .option("checkpointLocation", kill.marker() + "-checkpoint")
        .trigger(trigger)
        .start();
  }

  private static MapFunction<Tuple2<Long, Long>, Tuple2<Long, Long>> passing(
      Kill kill, boolean reading) {
    return row -> {
      kill.pass(reading, row._1());
      return row;
    };
  }

  /** Returns how often the query had to be started until all rows were seen. */
  private int runToTheEnd(Kill kill, Trigger trigger) throws Exception {
    try (Collector collector = new Collector()) {
      Set<Long> seen = new HashSet<>();
      int starts = 0;
      while (seen.size() < ROWS) {
        assertThat(++starts).as(kill.toString()).isLessThan(5);
        StreamingQuery query = start(collector, kill, trigger);
        while (query.isActive() && seen.size() < ROWS) {
          Thread.sleep(20);
          collector.seen().forEach(row -> seen.add(row.id()));
        }
        query.stop();
        collector.seen().forEach(row -> seen.add(row.id()));
      }
      assertThat(seen).allMatch(id -> id >= 0 && id < ROWS);
      assertThat(kill.hasHappened()).isTrue();
      return starts;
    }
  }

  @Test
  void shouldGoOnWithMicroBatches() throws Exception {
    for (int round = 0; round < KILLS; round++) {
      Kill kill = next("micro-batch", round, ROWS);
      assertThat(runToTheEnd(kill, Trigger.ProcessingTime(0))).as(kill.toString()).isEqualTo(1);
    }
    assertThat(spark.figures().since(before).pipelined()).isGreaterThanOrEqualTo(KILLS);
  }

  @Test
  void shouldLoseNoRowOfRealTimeQueries() throws Exception {
    for (int round = 0; round < KILLS; round++) {
      Kill kill = next("real-time", round, ROWS);
      assertThat(runToTheEnd(kill, Trigger.RealTime("2 seconds")))
          .as(kill.toString())
          .isGreaterThan(1);
    }
    assertThat(spark.figures().since(before).fellBack()).isZero();
  }
}

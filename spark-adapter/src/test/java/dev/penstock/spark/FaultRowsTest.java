package dev.penstock.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** Rows 11, 13, 24 and 26 of docs/faults.md, as far as they are the adapter's. */
@Timeout(240)
class FaultRowsTest {
  /** What tasks share with the test, which runs in the same JVM. */
  private static volatile CountDownLatch begun;

  private static volatile CountDownLatch released;
  private static volatile CountDownLatch ended;
  private static final AtomicInteger FAILURES = new AtomicInteger();

  private static LocalSpark spark;
  private Figures before;
  private SparkListener listener;

  @BeforeAll
  static void start() {
    spark =
        new LocalSpark(
            "local[40,4]",
            Map.of(
                "spark.penstock.writer.memory",
                "64k",
                "spark.penstock.reader.memory",
                "64k",
                "spark.penstock.message.limit",
                "16k"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void look() {
    before = spark.figures();
    begun = new CountDownLatch(1);
    released = new CountDownLatch(1);
    ended = new CountDownLatch(1);
    FAILURES.set(1);
  }

  @AfterEach
  void forget() {
    released.countDown();
    if (listener != null) {
      spark.sql().sparkContext().removeSparkListener(listener);
    }
  }

  private Figures figures() {
    return spark.figures().since(before);
  }

  private static void failOnce() {
    if (FAILURES.getAndDecrement() > 0) {
      throw new IllegalStateException("planted failure");
    }
  }

  /** Whatever wakes the thread: a task that does not notice that it was given up. */
  private static void awaitDeaf(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells {@code ended} when a task has ended that does not fail and is of this partition. */
  private void watch(int partition, boolean successful) {
    listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd event) {
            if (event.taskInfo().partitionId() == partition
                && event.taskInfo().successful() == successful
                && event.taskType().equals("ResultTask")
                && begun.getCount() == 0) {
              ended.countDown();
            }
          }
        };
    spark.sql().sparkContext().addSparkListener(listener);
  }

  @Test
  void shouldLeaveOutWhatAWriterThatWasGivenUpStillWrites() throws Exception {
    watch(0, false);
    List<Tuple2<Integer, String>> rows =
        spark
            .rdds()
            .parallelize(List.of(0, 1), 2)
            .mapPartitionsToPair(it -> writeAsZombie(it.next()))
            .partitionBy(new HashPartitioner(3))
            .collect();
    released.countDown();

    assertThat(rows).hasSize(200).allMatch(row -> row._2().equals("right"));
    // It has written on, was told that its generation is over, and its task has failed.
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(figures()).isEqualTo(new Figures(1, 0, 1));
  }

  /** The first run of map 0 goes on when its generation has long failed by the one of map 1. */
  private static Iterator<Tuple2<Integer, String>> writeAsZombie(int map)
      throws InterruptedException {
    if (map == 1) {
      begun.await();
      failOnce();
      return rows(0, 100, "right");
    }
    if (begun.getCount() == 0) {
      return rows(0, 100, "right");
    }
    Iterator<Tuple2<Integer, String>> early = rows(0, 100, "zombie");
    Iterator<Tuple2<Integer, String>> late = rows(100, 100_000, "zombie");
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        if (!early.hasNext()) {
          begun.countDown();
          awaitDeaf(released);
        }
        return early.hasNext() || late.hasNext();
      }

      @Override
      public Tuple2<Integer, String> next() {
        return early.hasNext() ? early.next() : late.next();
      }
    };
  }

  private static Iterator<Tuple2<Integer, String>> rows(int from, int count, String text) {
    return IntStream.range(from, from + count)
        .mapToObj(n -> new Tuple2<Integer, String>(n, text))
        .iterator();
  }

  @Test
  void shouldNeverMixTwoRunsOfAWriter() {
    List<Tuple2<Integer, String>> rows =
        spark
            .rdds()
            .parallelize(IntStream.range(0, 9_000).boxed().toList(), 3)
            .mapPartitionsToPair(
                it -> {
                  int map = TaskContext.getPartitionId();
                  String token = map + " " + UUID.randomUUID();
                  List<Tuple2<Integer, String>> all = new ArrayList<>();
                  it.forEachRemaining(n -> all.add(new Tuple2<>(n, token)));
                  Iterator<Tuple2<Integer, String>> each = all.iterator();
                  return map == 1 ? failingInTheMiddle(each, 2_000) : each;
                })
            .partitionBy(new HashPartitioner(4))
            .collect();

    Map<String, Set<String>> tokens = new HashMap<>();
    rows.forEach(
        row ->
            tokens.computeIfAbsent(row._2().substring(0, 1), map -> new HashSet<>()).add(row._2()));
    assertThat(rows).hasSize(9_000);
    assertThat(tokens).hasSize(3).allSatisfy((map, ofMap) -> assertThat(ofMap).hasSize(1));
    assertThat(figures()).isEqualTo(new Figures(1, 0, 1));
  }

  private static <T> Iterator<T> failingInTheMiddle(Iterator<T> rows, int after) {
    return new Iterator<>() {
      private int seen;

      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public T next() {
        if (++seen == after) {
          failOnce();
        }
        return rows.next();
      }
    };
  }

  /** Partition 1 fails once when all rows have been read and partition 0 has ended. */
  private List<Row> readAndFail(boolean sameEachTime) {
    watch(0, true);
    Dataset<Row> made =
        spark
            .sql()
            .range(0, 9_000, 1, 2)
            .mapPartitions(
                (MapPartitionsFunction<Long, Tuple2<Long, String>>)
                    it -> {
                      String token = sameEachTime ? "same" : UUID.randomUUID().toString();
                      List<Tuple2<Long, String>> all = new ArrayList<>();
                      it.forEachRemaining(n -> all.add(new Tuple2<>(n, token)));
                      return all.iterator();
                    },
                Encoders.tuple(Encoders.LONG(), Encoders.STRING()))
            .toDF("n", "token");
    return made.repartition(3, col("n"))
        .mapPartitions(
            (MapPartitionsFunction<Row, Row>)
                it -> {
                  List<Row> all = new ArrayList<>();
                  it.forEachRemaining(all::add);
                  begun.countDown();
                  if (TaskContext.getPartitionId() == 1) {
                    ended.await();
                    failOnce();
                  }
                  return all.iterator();
                },
            Encoders.row(made.schema()))
        .collectAsList();
  }

  @Test
  void shouldKeepWhatHasEndedIfTheRowsAreTheSameAgain() {
    List<Row> rows = readAndFail(true);

    assertThat(rows.stream().map(row -> row.getLong(0))).hasSize(9_000).doesNotHaveDuplicates();
    assertThat(figures()).isEqualTo(new Figures(1, 1, 1));
  }

  @Test
  void shouldGiveUpRatherThanMixRowsThatHaveChanged() {
    assertThatThrownBy(() -> readAndFail(false)).hasStackTraceContaining("indeterminate");
    assertThat(figures()).isEqualTo(new Figures(1, 1, 1));
  }

  @Test
  void shouldGetThroughChainsAndForksWithTheSmallestMemory() {
    int rows = 2_000;
    JavaPairRDD<Integer, byte[]> top =
        spark
            .rdds()
            .parallelize(IntStream.range(0, rows).boxed().toList(), 2)
            .mapToPair(n -> new Tuple2<>(n, new byte[1_000]))
            .partitionBy(new HashPartitioner(4));
    JavaPairRDD<Integer, byte[]> left =
        top.mapToPair(row -> new Tuple2<>(row._1() % 500, row._2()))
            .partitionBy(new HashPartitioner(3));
    JavaPairRDD<Integer, byte[]> right =
        top.mapToPair(row -> new Tuple2<>(row._1() % 300, row._2()))
            .partitionBy(new HashPartitioner(5));
    // Each reading task takes one side whole before it looks at the other.
    long both =
        left.cogroup(right, 4)
            .mapToPair(
                row -> {
                  int sides = 0;
                  for (byte[] unused : row._2()._1()) {
                    sides++;
                  }
                  for (byte[] unused : row._2()._2()) {
                    sides++;
                  }
                  return new Tuple2<>(row._1(), sides);
                })
            .partitionBy(new HashPartitioner(2))
            .values()
            .reduce(Integer::sum);

    assertThat(both).isEqualTo(2L * rows);
    assertThat(figures().fellBack()).isZero();
    assertThat(figures().completed()).isGreaterThanOrEqualTo(6);
  }

  @Test
  void shouldAskForItsWritersOnceHoweverLongTheyTake() {
    DriverMetrics metrics = DriverNode.currentOrNull().metrics();
    long asked = metrics.requests();
    List<Integer> all =
        spark
            .rdds()
            .parallelize(List.of(1, 2), 2)
            .mapToPair(
                n -> {
                  // Many times longer than a task waits before it looks around.
                  TimeUnit.MILLISECONDS.sleep(800);
                  return new Tuple2<>(n, n);
                })
            .partitionBy(new HashPartitioner(3))
            .values()
            .collect();

    assertThat(all).containsExactlyInAnyOrder(1, 2);
    // Three readers ask, two writers say that they begin, have rows, and are through.
    assertThat(metrics.requests() - asked).isEqualTo(3 + 2 * 3);
  }

  @Test
  void shouldEndAtOnceWithoutMaps() {
    JavaPairRDD<Integer, Integer> nothing =
        spark.rdds().<Integer>emptyRDD().mapToPair(n -> new Tuple2<>(n, n));

    assertThat(nothing.partitionBy(new HashPartitioner(3)).collect()).isEmpty();
    assertThat(figures().fellBack()).isZero();
  }
}

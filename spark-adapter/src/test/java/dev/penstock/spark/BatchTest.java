package dev.penstock.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.sum;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class BatchTest {
  private static final List<Integer> NUMBERS = IntStream.range(0, 10_000).boxed().toList();

  /** What a writer waits for in the middle of its input; tasks share this JVM. */
  private static volatile CountDownLatch read;

  private static LocalSpark spark;
  private Figures before;

  @BeforeAll
  static void start() {
    spark = new LocalSpark(16, Map.of());
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void look() {
    before = spark.figures();
  }

  @Test
  void shouldReduceByKey() {
    Map<Integer, Integer> sums =
        spark
            .rdds()
            .parallelize(NUMBERS, 3)
            .mapToPair(n -> new Tuple2<>(n % 7, n))
            .reduceByKey(Integer::sum, 4)
            .collectAsMap();

    Map<Integer, Integer> expected = new HashMap<>();
    NUMBERS.forEach(n -> expected.merge(n % 7, n, Integer::sum));
    assertThat(sums).isEqualTo(expected);
    assertThat(spark.figures().since(before)).isEqualTo(new Figures(1, 1, 0));
  }

  @Test
  void shouldRepartitionThenGroupRows() {
    List<Row> sums =
        spark
            .sql()
            .range(0, 100_000, 1, 3)
            .toDF("n")
            .withColumn("k", col("n").mod(5))
            .repartition(3, col("n"))
            .groupBy("k")
            .agg(sum("n").as("s"))
            .collectAsList();

    Map<Long, Long> actual = new HashMap<>();
    sums.forEach(row -> actual.put(row.getLong(0), row.getLong(1)));
    Map<Long, Long> expected = new HashMap<>();
    for (long n = 0; n < 100_000; n++) {
      expected.merge(n % 5, n, Long::sum);
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(spark.figures().since(before)).isEqualTo(new Figures(2, 2, 0));
  }

  @Test
  void shouldReadARecordBeforeItsWriterHasWrittenItsLast() {
    read = new CountDownLatch(1);
    List<Integer> all =
        spark
            .rdds()
            .parallelize(List.of(1, 2, 3), 1)
            .mapToPair(
                n -> {
                  if (n == 3 && !read.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nothing was read while I wrote");
                  }
                  return new Tuple2<>(n, n);
                })
            .partitionBy(new HashPartitioner(1))
            .map(
                pair -> {
                  read.countDown();
                  return pair._2();
                })
            .collect();

    assertThat(all).containsExactlyInAnyOrder(1, 2, 3);
    assertThat(spark.figures().since(before)).isEqualTo(new Figures(1, 1, 0));
  }

  @Test
  void shouldLeaveShufflesThatAdaptiveExecutionDrivesToTheSortShuffle() {
    spark.sql().conf().set("spark.sql.adaptive.enabled", "true");
    try {
      List<Row> rows =
          spark
              .sql()
              .range(0, 10_000, 1, 3)
              .toDF("n")
              .groupBy(col("n").mod(10).as("k"))
              .agg(sum("n").as("s"))
              .collectAsList();

      assertThat(rows).hasSize(10);
      assertThat(rows.stream().mapToLong(row -> row.getLong(1)).sum())
          .isEqualTo(10_000L * 9_999 / 2);
      assertThat(spark.figures().since(before)).isEqualTo(new Figures(0, 0, 0));
    } finally {
      spark.sql().conf().set("spark.sql.adaptive.enabled", "false");
    }
  }

  @Test
  void shouldSortAndJoinRows() {
    var left = spark.sql().range(0, 3_000, 1, 2).toDF("n");
    var right = spark.sql().range(0, 3_000, 3, 2).toDF("n");
    spark.sql().conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");

    List<Row> rows = left.join(right, "n").orderBy("n").collectAsList();

    assertThat(rows).hasSize(1_000);
    for (int i = 0; i < rows.size(); i++) {
      assertThat(rows.get(i).getLong(0)).isEqualTo(3L * i);
    }
    assertThat(spark.figures().since(before).fellBack()).isZero();
    assertThat(spark.figures().since(before).completed()).isPositive();
  }

  @Test
  void shouldCountWhatIsWrittenAndRead() {
    long[] figures = new long[4];
    var listener =
        new org.apache.spark.scheduler.SparkListener() {
          @Override
          public void onTaskEnd(org.apache.spark.scheduler.SparkListenerTaskEnd event) {
            var metrics = event.taskMetrics();
            synchronized (figures) {
              figures[0] += metrics.shuffleWriteMetrics().recordsWritten();
              figures[1] += metrics.shuffleReadMetrics().recordsRead();
              figures[2] += metrics.shuffleWriteMetrics().bytesWritten();
              figures[3] += metrics.shuffleReadMetrics().localBytesRead();
            }
          }
        };
    spark.sql().sparkContext().addSparkListener(listener);
    try {
      assertThat(spark.sql().range(0, 7_000, 1, 2).toDF("n").repartition(3, col("n")).count())
          .isEqualTo(7_000);
      spark.waitForListeners();
    } finally {
      spark.sql().sparkContext().removeSparkListener(listener);
    }
    synchronized (figures) {
      // The rows themselves, and one count per partition.
      assertThat(figures[0]).isEqualTo(7_003);
      assertThat(figures[1]).isEqualTo(figures[0]);
      assertThat(figures[2]).isPositive();
      assertThat(figures[3]).isEqualTo(figures[2]);
    }
  }
}

package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** What becomes of jobs when tasks fail. */
@Timeout(180)
class FailureTest {
  private static final List<Integer> NUMBERS = IntStream.range(0, 20_000).boxed().toList();

  /** Failures still to come, by test; tasks share this JVM. */
  private static final Map<String, AtomicInteger> FAILURES = new ConcurrentHashMap<>();

  /** A reader has ended, one way or the other. */
  private static volatile CountDownLatch gaveUp;

  private static void failures(String where, int count) {
    FAILURES.put(where, new AtomicInteger(count));
  }

  private static boolean takeFailure(String where) {
    AtomicInteger left = FAILURES.get(where);
    return left != null && left.getAndDecrement() > 0;
  }

  private static void maybeFail(String where) {
    if (takeFailure(where)) {
      throw new IllegalStateException("planted failure of " + where);
    }
  }

  @AfterEach
  void forget() {
    FAILURES.clear();
  }

  private static Map<Integer, Integer> expected() {
    Map<Integer, Integer> sums = new HashMap<>();
    NUMBERS.forEach(n -> sums.merge(n % 97, n, Integer::sum));
    return sums;
  }

  private static JavaPairRDD<Integer, Integer> pairs(LocalSpark spark) {
    return spark
        .rdds()
        .parallelize(NUMBERS, 2)
        .mapToPair(
            n -> {
              if (n == 15_000) {
                maybeFail("writer");
              }
              return new Tuple2<>(n % 97, n);
            });
  }

  @Test
  void shouldFallBackWhenAWriterFailsOnce() {
    failures("writer", 1);
    try (LocalSpark spark = new LocalSpark("local[8,4]", Map.of())) {
      assertThat(pairs(spark).groupByKey(3).mapValues(FailureTest::sum).collectAsMap())
          .isEqualTo(expected());
      assertThat(spark.figures()).isEqualTo(new Figures(1, 0, 1));
    }
  }

  @Test
  void shouldFailWithTheCauseWhenAWriterAlwaysFails() {
    failures("writer", 1_000);
    try (LocalSpark spark = new LocalSpark("local[8,4]", Map.of())) {
      assertThatThrownBy(() -> pairs(spark).reduceByKey(Integer::sum, 3).collectAsMap())
          .hasStackTraceContaining("planted failure of writer");
    }
  }

  @Test
  void shouldUseTheSortShuffleFromTheStartWithoutASecondAttempt() {
    try (LocalSpark spark =
        new LocalSpark("local[8,4]", Map.of("spark.stage.maxConsecutiveAttempts", "1"))) {
      assertThat(pairs(spark).reduceByKey(Integer::sum, 3).collectAsMap()).isEqualTo(expected());
      assertThat(spark.figures()).isEqualTo(new Figures(0, 0, 0));
    }
  }

  @Test
  void shouldFallBackWithTwoConsecutiveAttempts() {
    failures("writer", 1);
    try (LocalSpark spark =
        new LocalSpark("local[8,4]", Map.of("spark.stage.maxConsecutiveAttempts", "2"))) {
      assertThat(pairs(spark).reduceByKey(Integer::sum, 3).collectAsMap()).isEqualTo(expected());
      assertThat(spark.figures().fellBack()).isEqualTo(1);
    }
  }

  @Test
  void shouldFallBackWhenAReaderFailsAfterItsGenerationEnded() {
    failures("reader", 1);
    try (LocalSpark spark = new LocalSpark("local[8,4]", Map.of())) {
      Map<Integer, Integer> sums = new HashMap<>();
      pairs(spark)
          .reduceByKey(Integer::sum, 3)
          .mapPartitions(
              it -> {
                List<Tuple2<Integer, Integer>> all = new java.util.ArrayList<>();
                it.forEachRemaining(all::add);
                if (TaskContext.getPartitionId() == 1) {
                  maybeFail("reader");
                }
                return all.iterator();
              })
          .collect()
          .forEach(pair -> sums.put(pair._1(), pair._2()));

      assertThat(sums).isEqualTo(expected());
      assertThat(spark.figures().fellBack()).isEqualTo(1);
    }
  }

  @Test
  void shouldFallBackWhenAReaderOfRowsFailsAfterItsGenerationEnded() {
    failures("reader", 1);
    try (LocalSpark spark = new LocalSpark("local[8,4]", Map.of())) {
      List<Long> rows =
          spark
              .sql()
              .range(0, 9_000, 1, 2)
              .toDF("n")
              .repartition(3, org.apache.spark.sql.functions.col("n"))
              .mapPartitions(
                  (org.apache.spark.api.java.function.MapPartitionsFunction<
                          org.apache.spark.sql.Row, Long>)
                      it -> {
                        List<Long> all = new java.util.ArrayList<>();
                        it.forEachRemaining(row -> all.add(row.getLong(0)));
                        if (TaskContext.getPartitionId() == 1) {
                          maybeFail("reader");
                        }
                        return all.iterator();
                      },
                  org.apache.spark.sql.Encoders.LONG())
              .collectAsList();

      assertThat(rows).hasSize(9_000).doesNotHaveDuplicates();
      assertThat(spark.figures().fellBack()).isEqualTo(1);
    }
  }

  @Test
  void shouldFallBackWhenTheUpperOrLowerShuffleOfAChainFails() {
    for (String where : List.of("writer", "middle")) {
      failures(where, 1);
      try (LocalSpark spark = new LocalSpark("local[12,4]", Map.of())) {
        Map<Integer, Integer> sums =
            pairs(spark)
                .reduceByKey(Integer::sum, 3)
                .mapToPair(
                    pair -> {
                      if (pair._1() == 50) {
                        maybeFail("middle");
                      }
                      return new Tuple2<>(pair._1() % 10, pair._2());
                    })
                .reduceByKey(Integer::sum, 2)
                .collectAsMap();
        Map<Integer, Integer> right = new HashMap<>();
        expected().forEach((key, sum) -> right.merge(key % 10, sum, Integer::sum));
        assertThat(sums).isEqualTo(right);
      }
    }
  }

  private static int sum(Iterable<Integer> values) {
    int sum = 0;
    for (int value : values) {
      sum += value;
    }
    return sum;
  }

  @Test
  void shouldFallBackWhenTheDriverCannotBeHeardAndBePipelinedWhenItCanAgain() throws Exception {
    failures("writer", 1);
    gaveUp = new CountDownLatch(1);
    try (LocalSpark spark = new LocalSpark("local[8,4]", Map.of())) {
      List<Integer> all =
          spark
              .rdds()
              .parallelize(List.of(1, 2, 3), 1)
              .mapToPair(
                  n -> {
                    if (n == 3 && takeFailure("writer")) {
                      // A greeting in its name: the driver takes back the channel that it had.
                      String executor = ExecutorNode.current().executor();
                      Message unused =
                          DriverNode.currentOrNull()
                              .receive(new Message.Hello(executor, "localhost", 1));
                      gaveUp.await();
                    }
                    return new Tuple2<>(n, n);
                  })
              .partitionBy(new org.apache.spark.HashPartitioner(2))
              .mapPartitions(
                  it -> {
                    try {
                      List<Integer> rows = new java.util.ArrayList<>();
                      it.forEachRemaining(row -> rows.add(row._2()));
                      return rows.iterator();
                    } finally {
                      gaveUp.countDown();
                    }
                  })
              .collect();

      assertThat(all).containsExactlyInAnyOrder(1, 2, 3);
      assertThat(spark.figures()).isEqualTo(new Figures(1, 0, 1));

      while (!ExecutorNode.current().hears()) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(pairs(spark).reduceByKey(Integer::sum, 3).collectAsMap()).isEqualTo(expected());
      assertThat(spark.figures()).isEqualTo(new Figures(2, 1, 1));
    }
  }

  @Test
  void shouldLeaveNothingBehind() {
    try (LocalSpark spark = new LocalSpark(8, Map.of())) {
      assertThat(pairs(spark).reduceByKey(Integer::sum, 3).collectAsMap()).isEqualTo(expected());
      // The writers' job ends when Spark has heard of its last task: after the readers have theirs.
      spark.waitForJobs();
    }
    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("penstock-")))
        .isEmpty();
  }
}

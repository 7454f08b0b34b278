package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** Jobs that a naive pipelined shuffle hangs on or gets wrong. */
@Timeout(120)
class TrapTest {
  private static final List<Integer> NUMBERS = IntStream.range(0, 5_000).boxed().toList();

  private static LocalSpark spark;
  private Figures before;

  @BeforeAll
  static void start() {
    spark = new LocalSpark(24, Map.of("spark.penstock.readers.timeout", "5s"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void look() {
    before = spark.figures();
  }

  private static JavaPairRDD<Integer, Integer> pairs(int partitions) {
    return spark.rdds().parallelize(NUMBERS, partitions).mapToPair(n -> new Tuple2<>(n % 101, n));
  }

  private static <T> List<T> sorted(List<T> values) {
    List<T> copy = new ArrayList<>(values);
    copy.sort((a, b) -> a.toString().compareTo(b.toString()));
    return copy;
  }

  /** Runs the job both ways. */
  private static <T> void same(Function<JavaSparkContext, List<T>> job) {
    JavaSparkContext rdds = spark.rdds();
    List<T> ours = job.apply(rdds);
    rdds.setLocalProperty(Settings.MODE, "off");
    try {
      assertThat(sorted(ours)).isEqualTo(sorted(job.apply(rdds)));
    } finally {
      rdds.setLocalProperty(Settings.MODE, null);
    }
  }

  private Figures figures() {
    return spark.figures().since(before);
  }

  @Test
  void shouldSortByKeyWithItsSamplingJob() {
    List<Integer> keys = pairs(3).sortByKey().keys().collect();

    assertThat(keys).hasSize(5_000).isSorted();
    assertThat(figures()).isEqualTo(new Figures(1, 1, 0));
  }

  @Test
  void shouldRunTwoActionsOnOneShuffle() {
    JavaPairRDD<Integer, Integer> sums = pairs(3).reduceByKey(Integer::sum, 4);

    assertThat(sums.count()).isEqualTo(101);
    assertThat(sums.count()).isEqualTo(101);
    assertThat(figures()).isEqualTo(new Figures(1, 2, 0));
  }

  @Test
  void shouldReadAShuffleTwiceInAUnionWithItself() {
    same(
        rdds -> {
          JavaPairRDD<Integer, Integer> sums = pairs(2).reduceByKey(Integer::sum, 3);
          return sums.union(sums).collect();
        });
    assertThat(figures().fellBack()).isZero();
    assertThat(figures().completed()).isEqualTo(2);
  }

  @Test
  void shouldTakeAFewFromManyPartitions() {
    List<Tuple2<Integer, Integer>> few = pairs(3).reduceByKey(Integer::sum, 6).take(3);

    assertThat(few).hasSize(3);
    assertThat(figures().fellBack()).isEqualTo(1);
  }

  @Test
  void shouldStopWritersQuietlyWhenReadersHaveEnough() {
    JavaRDD<Integer> first =
        spark
            .rdds()
            .parallelize(IntStream.range(0, 2_000_000).boxed().toList(), 2)
            .mapToPair(n -> new Tuple2<>(n, n))
            .partitionBy(new org.apache.spark.HashPartitioner(2))
            .mapPartitions(it -> Collections.singletonList(it.next()._2()).iterator());

    assertThat(first.collect()).hasSize(2);
    assertThat(figures().fellBack()).isZero();
  }

  @Test
  void shouldCoalesceShuffledPartitions() {
    same(rdds -> pairs(3).reduceByKey(Integer::sum, 8).coalesce(2).collect());
  }

  @Test
  void shouldNoticeThatNobodyReadsAPartition() {
    JavaRDD<Integer> other = spark.rdds().parallelize(NUMBERS.subList(0, 10), 10);
    same(rdds -> pairs(2).repartition(8).values().coalesce(2).union(other).collect());
    assertThat(figures().fellBack()).isEqualTo(1);
  }

  @Test
  void shouldJoinUnevenSides() {
    same(
        rdds ->
            pairs(2)
                .reduceByKey(Integer::sum, 3)
                .join(pairs(3).mapValues(n -> "v" + n), 3)
                .collect());
  }

  @Test
  void shouldCogroup() {
    same(
        rdds -> {
          List<String> all = new ArrayList<>();
          pairs(2)
              .cogroup(pairs(3).filter(pair -> pair._1() < 50), 3)
              .mapValues(
                  two -> {
                    List<Integer> left = new ArrayList<>();
                    two._1().forEach(left::add);
                    List<Integer> right = new ArrayList<>();
                    two._2().forEach(right::add);
                    Collections.sort(left);
                    Collections.sort(right);
                    return left + "|" + right;
                  })
              .collect()
              .forEach(pair -> all.add(pair.toString()));
          return all;
        });
    assertThat(figures().fellBack()).isZero();
  }

  @Test
  void shouldShuffleSkewedKeys() {
    same(
        rdds ->
            rdds.parallelize(NUMBERS, 4)
                .mapToPair(n -> new Tuple2<>(n % 100 == 0 ? n : -1, 1))
                .reduceByKey(Integer::sum, 4)
                .collect());
    assertThat(figures().fellBack()).isZero();
  }

  @Test
  void shouldShuffleNoRows() {
    assertThat(pairs(3).filter(pair -> false).reduceByKey(Integer::sum, 4).collect()).isEmpty();
    assertThat(figures()).isEqualTo(new Figures(1, 1, 0));
  }

  @Test
  void shouldShuffleNoPartitions() {
    JavaRDD<Integer> nothing = spark.rdds().emptyRDD();

    assertThat(nothing.mapToPair(n -> new Tuple2<>(n, n)).reduceByKey(Integer::sum, 2).collect())
        .isEmpty();
  }

  @Test
  void shouldCutAndJoinARowOf64MiB() {
    List<Integer> sizes =
        spark
            .rdds()
            .parallelize(List.of(1), 1)
            .mapToPair(n -> new Tuple2<>(n, new byte[64 << 20]))
            .repartition(2)
            .map(pair -> pair._2().length)
            .collect();

    assertThat(sizes).containsExactly(64 << 20);
    assertThat(figures()).isEqualTo(new Figures(1, 1, 0));
  }

  @Test
  void shouldFallBackWhereTasksDoNotFit() {
    same(
        rdds ->
            rdds.parallelize(NUMBERS, 200)
                .mapToPair(n -> new Tuple2<>(n, n))
                .reduceByKey(Integer::sum, 200)
                .collect());
    assertThat(figures().completed()).isZero();
  }

  @Test
  void shouldRunManyWritersInWaves() {
    same(
        rdds ->
            rdds.parallelize(NUMBERS, 60)
                .mapToPair(n -> new Tuple2<>(n % 10, n))
                .reduceByKey(Integer::sum, 4)
                .collect());
    assertThat(figures()).isEqualTo(new Figures(1, 1, 0));
  }

  @Test
  void shouldUseCachedAndCheckpointedRdds() {
    spark.rdds().setCheckpointDir("target/checkpoints");
    JavaPairRDD<Integer, Integer> sums = pairs(3).reduceByKey(Integer::sum, 4);
    sums.persist(StorageLevel.MEMORY_ONLY());
    sums.checkpoint();

    assertThat(sums.count()).isEqualTo(101);
    assertThat(sums.mapValues(n -> n + 1).count()).isEqualTo(101);
    assertThat(sums.isCheckpointed()).isTrue();
  }

  @Test
  void shouldUniteShuffledInputs() {
    same(
        rdds ->
            pairs(2)
                .reduceByKey(Integer::sum, 3)
                .union(pairs(3).mapValues(n -> -n).reduceByKey(Integer::sum, 3))
                .reduceByKey(Integer::sum, 3)
                .collect());
  }

  @Test
  void shouldPassAFailureOfTheUsersCodeOn() {
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () ->
                pairs(2)
                    .mapValues(
                        n -> {
                          if (n == 4_321) {
                            throw new IllegalStateException("row 4321 is bad");
                          }
                          return n;
                        })
                    .reduceByKey(Integer::sum, 3)
                    .collect())
        .hasStackTraceContaining("row 4321 is bad");
  }
}

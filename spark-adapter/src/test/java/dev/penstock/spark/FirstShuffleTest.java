package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** An application whose first job is there before its executors. */
@Tag("spark-suites")
@Timeout(300)
class FirstShuffleTest {
  @Test
  void shouldCostNoStageAttemptWhereItDoesNotFit() {
    try (LocalSpark spark = LocalSpark.cluster(1, Map.of())) {
      Map<Integer, Integer> sums =
          spark
              .rdds()
              .parallelize(IntStream.range(0, 1_000).boxed().toList(), 8)
              .mapToPair(n -> new Tuple2<>(n % 8, 1))
              .reduceByKey(Integer::sum, 8)
              .collectAsMap();

      assertThat(sums).hasSize(8).containsValue(125);
      assertThat(spark.figures()).isEqualTo(new Figures(0, 0, 0));
    }
  }
}

package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.HashPartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

@Timeout(120)
class WritersJobTest {
  /** Tasks share this JVM. */
  private static volatile CountDownLatch reading;

  private static volatile CountDownLatch go;

  @Test
  void shouldNotTakeTheReadingJobAlongWhenItFailsAfterTheOutputsWereTakenBack() throws Exception {
    reading = new CountDownLatch(1);
    go = new CountDownLatch(1);
    try (LocalSpark spark = new LocalSpark(8, Map.of())) {
      JavaPairRDD<Integer, Integer> shuffled =
          spark
              .rdds()
              .parallelize(List.of(1, 2, 3), 1)
              .mapToPair(n -> new Tuple2<>(n, n))
              .partitionBy(new HashPartitioner(1));
      JavaRDD<Integer> read =
          shuffled.mapPartitions(
              it -> {
                reading.countDown();
                if (!go.await(60, TimeUnit.SECONDS)) {
                  throw new IllegalStateException("nobody let me go on");
                }
                List<Integer> values = new ArrayList<>();
                it.forEachRemaining(pair -> values.add(pair._2()));
                return values.iterator();
              });
      var job = read.collectAsync();
      assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();

      assertThat(runRefusedWriters(spark, shuffled)).hasMessageContaining("is over");
      go.countDown();

      assertThat(job.get(60, TimeUnit.SECONDS)).containsExactlyInAnyOrder(1, 2, 3);
    }
  }

  /** A writers' job of a generation that is over; returns how it failed. */
  private static Throwable runRefusedWriters(LocalSpark spark, JavaPairRDD<?, ?> shuffled)
      throws Exception {
    ShuffleDependency<?, ?, ?> dependency =
        (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();
    PenstockHandle<?, ?, ?> handle = (PenstockHandle<?, ?, ?>) dependency.shuffleHandle();
    ShuffleEntry entry = new ShuffleEntry(handle, 1, 1, null, false);
    StageState consumer =
        new StageState(new StageState.Key(99, 0), 1, List.of(), new Properties(), null);
    MapOutputs.reset(entry.shuffle(), 1, 1, null);
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    var unused =
        WritersJob.submit(
            spark.sql().sparkContext(),
            new Generation(new GenerationKey(99, 0), entry, consumer),
            dependency,
            Runnable::run,
            end::complete);
    return end.get(60, TimeUnit.SECONDS);
  }
}

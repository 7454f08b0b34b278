package dev.penstock.benchmarks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WorkloadTest {

  @Test
  void shouldNameEachWorkloadOnce() {
    Set<String> names = new HashSet<>();
    for (Workload workload : Workload.all()) {
      assertTrue(names.add(workload.name()), workload.name());
      assertEquals(workload, Workload.named(workload.name()));
    }
    assertThrows(IllegalArgumentException.class, () -> Workload.named("W1/9x9"));
  }

  @Test
  void shouldMakeTheSameRecordsInEachRunAndOthersForEachProducer() {
    Workload workload = Workload.named("W2/4x4");

    assertArrayEquals(new RecordPool(workload, 1).record(0), new RecordPool(workload, 1).record(0));
    assertTrue(new RecordPool(workload, 1).head(0) != new RecordPool(workload, 2).head(0));
  }

  @Test
  void shouldSendEachKeyToOneConsumerAndAboutAsManyToEach() {
    Workload workload = Workload.named("W2/4x4");
    int[] perConsumer = new int[workload.consumers()];

    for (int producer = 0; producer < workload.producers(); producer++) {
      RecordPool pool = new RecordPool(workload, producer);
      for (int i = 0; i < pool.size(); i++) {
        assertEquals(pool.head(i), ByteBuffer.wrap(pool.record(i)).getLong());
        assertEquals(pool.consumer(i), RecordPool.partition(pool.head(i), workload.consumers()));
        perConsumer[pool.consumer(i)]++;
      }
    }

    // 2,048 keys from fixed seeds: the counts are the same in every run.
    for (int count : perConsumer) {
      assertTrue(count > 430 && count < 600, "a consumer gets " + count);
    }
  }

  @Test
  void shouldDrawTheFirstTwiceAsOftenAsTheSecondFromAZipfDistribution() {
    int[] counts = new int[1000];
    for (int drawn : Zipf.draw(counts.length, 1 << 17, new SplittableRandom(1))) {
      counts[drawn]++;
    }

    assertEquals(2.0, (double) counts[0] / counts[1], 0.1);
    assertEquals(10.0, (double) counts[0] / counts[9], 0.5);
    assertTrue(counts[999] > 0);
  }

  @Test
  void shouldCarryOptionsToTheOtherJvmUnchanged() {
    CaseOptions options =
        new CaseOptions(
            Workload.named("W1/1x1-two-jvms"),
            "a.System",
            Parameters.parse("loops=2,transport=nio"),
            Duration.ofSeconds(12),
            Duration.ofMillis(1500));

    CaseOptions sending = options.sendingTo("4711");

    assertEquals(sending, CaseOptions.parse(sending.arguments().toArray(String[]::new)));
    assertTrue(sending.onlySends());
    assertEquals(options, CaseOptions.parse(options.arguments().toArray(String[]::new)));
  }

  @Test
  void shouldRefuseParametersThatAreNotNamed() {
    assertThrows(IllegalArgumentException.class, () -> Parameters.parse("epoll"));
  }
}

package dev.penstock.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CountersTest {
  private static final int BYTES = 1 << 20;

  @Test
  void shouldCountWhatOtherThreadsAllocateAndNotWhatTheMeasuringThreadDoes() throws Exception {
    CountingSink sink = new CountingSink(true);
    CountDownLatch allocate = new CountDownLatch(1);
    CountDownLatch allocated = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    byte[][] kept = new byte[2][];
    Thread thread =
        new Thread(
            () -> {
              awaitIt(allocate);
              kept[0] = new byte[BYTES];
              allocated.countDown();
              awaitIt(end);
            });
    thread.start();

    Counters before = Counters.read(List.of(sink));
    allocate.countDown();
    allocated.await();
    kept[1] = new byte[16 * BYTES];
    sink.accept(100, 1);
    sink.accept(100, 1);
    Map<String, Double> metrics = Counters.read(List.of(sink)).since(before);
    end.countDown();
    thread.join();

    double perRecord = metrics.get("allocated_b_per_record");
    assertTrue(perRecord >= BYTES / 2.0, "the other thread's: " + perRecord);
    assertTrue(perRecord < 4 * BYTES, "not this thread's: " + perRecord);
    assertEquals(
        perRecord * Workload.FRAME_SIZE / 104, metrics.get("allocated_b_per_32k"), perRecord);
    assertEquals(16 * BYTES, kept[1].length);
  }

  private static void awaitIt(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

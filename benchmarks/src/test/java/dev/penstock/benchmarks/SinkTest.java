package dev.penstock.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SinkTest {

  @Test
  void shouldCountRecordsAndBytesWithTheirLengthPrefix() {
    CountingSink sink = new CountingSink(true);

    sink.accept(100, 7);
    sink.accept(8, -2);

    assertEquals(2, sink.records());
    assertEquals(104 + 12, sink.bytes());
    assertEquals(new Totals(2, 5), sink.totals());
  }

  @Test
  void shouldWaitUntilTheOthersAreAHundredTimesAhead() {
    AtomicLong others = new AtomicLong();
    AtomicInteger asked = new AtomicInteger();
    SlowSink sink =
        new SlowSink(
            () -> {
              // The others get ahead while this one waits.
              asked.incrementAndGet();
              return others.getAndSet(6400);
            },
            () -> false);

    for (int i = 0; i < 64; i++) {
      sink.accept(100, 1);
    }

    assertEquals(2, asked.get(), "once too slow, once fast enough");
    assertFalse(sink.counts());
  }

  @Test
  void shouldNotWaitWhenTheCaseEnds() {
    SlowSink sink = new SlowSink(() -> 0, () -> true);

    for (int i = 0; i < 1000; i++) {
      sink.accept(100, 1);
    }

    assertEquals(1000, sink.records());
  }

  @Test
  void shouldForgetTheLongestPauseWhenAsked() {
    PauseSink sink = new PauseSink();
    sink.accept(100, 1);
    assertEquals(0, sink.takeLongest(), "one record has no pause");

    sink.accept(100, 1);

    assertTrue(sink.takeLongest() > 0);
    assertEquals(0, sink.takeLongest());
    assertEquals(new Totals(2, 2), sink.totals());
  }
}

package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FirstExecutorTest {
  private static final long FOREVER = 3_600_000;

  private final FirstExecutor first = new FirstExecutor();

  @Test
  void shouldAnswerAtOnceWhereSlotsAreKnown() {
    assertThat(first.await(() -> 16, FOREVER)).isEqualTo(16);
  }

  @Test
  void shouldWaitForTheFirstExecutor() throws Exception {
    AtomicInteger slots = new AtomicInteger();
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Integer> answer =
        CompletableFuture.supplyAsync(
            () ->
                first.await(
                    () -> {
                      asked.countDown();
                      return slots.get();
                    },
                    FOREVER));
    asked.await();
    slots.set(2);
    first.added();

    assertThat(answer.get()).isEqualTo(2);
  }

  @Test
  void shouldNotWaitAgainOnceThereWasAnExecutor() {
    first.added();

    assertThat(first.await(() -> 0, FOREVER)).isZero();
  }

  @Test
  void shouldSayThatNobodyKnowsWhenNoExecutorComes() {
    assertThat(first.await(() -> 0, 1)).isZero();
  }

  @Test
  void shouldKeepAnInterruption() {
    Thread.currentThread().interrupt();

    assertThat(first.await(() -> 0, FOREVER)).isZero();
    assertThat(Thread.interrupted()).isTrue();
  }
}

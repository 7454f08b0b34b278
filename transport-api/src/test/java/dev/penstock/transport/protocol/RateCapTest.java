package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.SeedOnFailure;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RateCapTest {
  private static final long SECOND = 1_000_000_000L;

  @RegisterExtension final SeedOnFailure seed = new SeedOnFailure("penstock.rate.seed");

  @Test
  void shouldLetSoManyThroughAtOnceAndNoMore() {
    RateCap cap = new RateCap(3, 0);
    assertThat(cap.take(0)).isTrue();
    assertThat(cap.take(0)).isTrue();
    assertThat(cap.take(0)).isTrue();
    assertThat(cap.take(0)).isFalse();
    assertThat(cap.take(SECOND / 3)).isFalse();
    assertThat(cap.take(SECOND / 3 + 1)).isTrue();
    assertThat(cap.take(SECOND / 3 + 1)).isFalse();
  }

  @Test
  void shouldBeFullAgainAfterASecondAndNotFuller() {
    RateCap cap = new RateCap(2, 0);
    cap.take(0);
    cap.take(0);
    assertThat(cap.take(100 * SECOND)).isTrue();
    assertThat(cap.take(100 * SECOND)).isTrue();
    assertThat(cap.take(100 * SECOND)).isFalse();
  }

  @Test
  void shouldNeverLetThroughMoreThanTwiceItsCapacityInASecond() {
    Random random = new Random(seed.value());
    for (int i = 0; i < 100; i++) {
      int capacity = 1 + random.nextInt(50);
      RateCap cap = new RateCap(capacity, 0);
      ArrayDeque<Long> taken = new ArrayDeque<>();
      long now = 0;
      for (int event = 0; event < 2_000; event++) {
        now += random.nextInt(10) == 0 ? random.nextInt(1_500_000_000) : random.nextInt(3_000_000);
        if (cap.take(now)) {
          taken.add(now);
        }
        while (!taken.isEmpty() && taken.peek() <= now - SECOND) {
          taken.poll();
        }
        assertThat(taken.size()).isLessThanOrEqualTo(2 * capacity);
      }
    }
  }

  /** Looks that are closer together than one token's time must not lose what they add up to. */
  @Test
  void shouldRefillHoweverOftenItIsAsked() {
    RateCap cap = new RateCap(10, 0);
    int through = 0;
    for (long now = 0; now <= 10 * SECOND; now += SECOND / 1_000) {
      through += cap.take(now) ? 1 : 0;
    }
    assertThat(through).isBetween(100, 110);
  }
}

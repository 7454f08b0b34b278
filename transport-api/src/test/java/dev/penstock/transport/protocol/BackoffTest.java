package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {
  @Test
  void shouldTryAtOnceThenDoubleUpToTheMaximum() {
    Backoff backoff = new Backoff(100, 1_000);

    long[] delays = new long[7];
    for (int i = 0; i < delays.length; i++) {
      delays[i] = backoff.nextDelayNanos(0);
    }

    assertThat(delays).containsExactly(0, 100, 200, 400, 800, 1_000, 1_000);
  }

  @Test
  void shouldTakeUpToHalfOfTheWaitAwayByJitter() {
    Backoff backoff = new Backoff(100, 1_000);

    assertThat(backoff.nextDelayNanos(1)).isZero();
    assertThat(backoff.nextDelayNanos(1)).isEqualTo(50);
    assertThat(backoff.nextDelayNanos(0.5)).isEqualTo(150);
    assertThat(backoff.nextDelayNanos(1)).isEqualTo(200);
  }

  @Test
  void shouldStartAgainAfterProgressOnly() {
    Backoff backoff = new Backoff(100, 1_000);
    backoff.nextDelayNanos(0);
    backoff.nextDelayNanos(0);

    backoff.progress();

    assertThat(backoff.nextDelayNanos(0)).isZero();
    assertThat(backoff.nextDelayNanos(0)).isEqualTo(100);
  }

  @Test
  void shouldNotOverflow() {
    Backoff backoff = new Backoff(Long.MAX_VALUE / 2 + 1, Long.MAX_VALUE);

    assertThat(backoff.nextDelayNanos(0)).isZero();
    assertThat(backoff.nextDelayNanos(0)).isEqualTo(Long.MAX_VALUE / 2 + 1);
    assertThat(backoff.nextDelayNanos(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(backoff.nextDelayNanos(1)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void shouldRefuseAJitterOutOfRange(double jitter) {
    Backoff backoff = new Backoff(100, 1_000);

    assertThatThrownBy(() -> backoff.nextDelayNanos(jitter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jitter");
  }

  @Test
  void shouldRefuseWaitsOutOfOrder() {
    assertThatThrownBy(() -> new Backoff(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Backoff(2, 1)).isInstanceOf(IllegalArgumentException.class);
  }
}

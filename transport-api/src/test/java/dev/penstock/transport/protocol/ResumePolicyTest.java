package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ResumePolicyTest {
  private final ResumePolicy policy = new ResumePolicy(60);

  @Test
  void shouldLoseTheSessionWhenTheWindowIsOver() {
    policy.broken(1_000);

    assertThat(policy.isBroken()).isTrue();
    assertThat(policy.deadlineNanos()).isEqualTo(1_060);
    assertThat(policy.isLost(1_059)).isFalse();
    assertThat(policy.isLost(1_060)).isTrue();
  }

  @Test
  void shouldNotMoveTheWindowWhenItIsToldTwice() {
    policy.broken(1_000);
    policy.broken(1_050);

    assertThat(policy.isLost(1_060)).isTrue();
    assertThat(policy.barrenResumes()).isZero();
  }

  @Test
  void shouldStopTheWindowWhenTheLaneResumes() {
    policy.broken(1_000);
    policy.resumed();

    assertThat(policy.isBroken()).isFalse();
    assertThat(policy.isLost(9_999)).isFalse();
  }

  @Test
  void shouldLoseTheSessionAfterThreeResumesWithoutProgress() {
    policy.broken(0);
    for (int resume = 1; resume <= 3; resume++) {
      assertThat(policy.isLost(resume)).isFalse();
      policy.resumed();
      policy.broken(resume);
      assertThat(policy.barrenResumes()).isEqualTo(resume);
    }

    assertThat(policy.isLost(3)).isTrue();
  }

  @Test
  void shouldNotCountTheFirstConnectionAsAResume() {
    policy.broken(0);

    assertThat(policy.barrenResumes()).isZero();
  }

  @Test
  void shouldNotCountTheConnectionThatItWaitedForFirst() {
    policy.awaitFirst(0);
    assertThat(policy.isBroken()).isTrue();
    assertThat(policy.isLost(59)).isFalse();
    assertThat(policy.isLost(60)).isTrue();

    policy.resumed();
    policy.broken(1);
    assertThat(policy.barrenResumes()).isZero();

    policy.resumed();
    policy.broken(2);
    assertThat(policy.barrenResumes()).isEqualTo(1);
  }

  @Test
  void shouldCountAnewAfterProgress() {
    policy.broken(0);
    policy.resumed();
    policy.broken(1);
    policy.resumed();
    policy.progress();
    policy.broken(2);

    assertThat(policy.barrenResumes()).isZero();
    for (int resume = 0; resume < 2; resume++) {
      policy.resumed();
      policy.broken(3);
    }
    assertThat(policy.isLost(3)).isFalse();
  }

  @Test
  void shouldNotTakeLateNewsOfABrokenConnectionForProgress() {
    policy.broken(0);
    policy.resumed();
    policy.broken(1);
    policy.progress();

    assertThat(policy.barrenResumes()).isEqualTo(1);
    assertThat(policy.isBroken()).isTrue();
  }

  @Test
  void shouldCompareTimesAcrossTheOverflowOfTheClock() {
    policy.broken(Long.MAX_VALUE - 10);

    assertThat(policy.isLost(Long.MAX_VALUE)).isFalse();
    assertThat(policy.isLost(Long.MIN_VALUE + 48)).isFalse();
    assertThat(policy.isLost(Long.MIN_VALUE + 49)).isTrue();
  }

  @Test
  void shouldLetTheAcceptorWaitTwiceTheSilenceLimitLonger() {
    assertThat(ResumePolicy.acceptorWindow(60, 6)).isEqualTo(72);
    assertThat(ResumePolicy.acceptorWindow(Long.MAX_VALUE - 1, 6)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldRefuseANegativeWindow() {
    assertThatThrownBy(() -> new ResumePolicy(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}

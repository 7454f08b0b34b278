package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChannelNumbersTest {
  private final ChannelNumbers dialer = new ChannelNumbers(true);
  private final ChannelNumbers acceptor = new ChannelNumbers(false);

  @Test
  void shouldGiveTheDialerEvenAndTheAcceptorOddNumbersWithoutGaps() {
    for (int i = 0; i < 100; i++) {
      assertThat(dialer.take()).isEqualTo(2 * i);
      assertThat(acceptor.take()).isEqualTo(2 * i + 1);
    }
  }

  @Test
  void shouldTellWhoseANumberIs() {
    assertThat(dialer.isPeers(1)).isTrue();
    assertThat(dialer.isPeers(2)).isFalse();
    assertThat(acceptor.isPeers(1)).isFalse();
    assertThat(acceptor.isPeers(2)).isTrue();
  }

  @Test
  void shouldKnowWhichNumbersHaveBeenUsed() {
    assertThat(dialer.isUsed(0)).isFalse();
    dialer.take();
    assertThat(dialer.isUsed(0)).isTrue();
    assertThat(dialer.isUsed(2)).isFalse();
    assertThat(dialer.isNew(1)).isTrue();
    dialer.used(7);
    assertThat(dialer.isUsed(7)).isTrue();
    assertThat(dialer.isUsed(5)).as("passed over by the peer").isTrue();
    assertThat(dialer.isNew(9)).isTrue();
    dialer.forgetPeers();
    assertThat(dialer.isNew(1)).isTrue();
  }

  @Test
  void shouldCompareNumbersAsUnsigned() {
    int high = -101;
    dialer.used(high);
    assertThat(dialer.isUsed(7)).isTrue();
    assertThat(dialer.isNew(high + 2)).isTrue();
    assertThat(dialer.isNew(Integer.MAX_VALUE)).isFalse();
  }

  @Test
  void shouldBeUsedUpBeforeTheNumbersWrap() {
    dialer.leave(2);
    assertThat(dialer.exhausted()).isFalse();
    int first = dialer.take();
    assertThat(dialer.exhausted()).isFalse();
    int last = dialer.take();
    assertThat(dialer.exhausted()).isTrue();
    assertThat(Integer.compareUnsigned(first, last)).isNegative();
    assertThat(Integer.compareUnsigned(last, -2)).as("the highest even number").isNegative();
  }
}

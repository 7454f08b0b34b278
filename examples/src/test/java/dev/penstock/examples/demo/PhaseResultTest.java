package dev.penstock.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.examples.support.ChildJvm;
import org.junit.jupiter.api.Test;

/** The judge must notice whatever goes wrong. */
class PhaseResultTest {
  private static PhaseResult result(Tally sent, Tally received) {
    PhaseResult result = new PhaseResult(1, 1);
    result.take(new ChildJvm.Line(null, "SENT 0 0 " + sent.text()));
    result.take(new ChildJvm.Line(null, "RECEIVED 0 0 " + received.text()));
    return result;
  }

  private static Tally tally(long... numbers) {
    Tally tally = new Tally();
    for (long number : numbers) {
      tally.add(number, (int) (number * 31), 10);
    }
    return tally;
  }

  @Test
  void shouldFindNothingWrongWhenEveryRecordCameOnce() {
    PhaseResult result = result(tally(0, 1, 2), tally(0, 1, 2));
    assertThat(result.faults()).isEmpty();
    assertThat(result.lost()).isZero();
    assertThat(result.received().duplicated()).isZero();
    assertThat(result.received().records()).isEqualTo(3);
  }

  @Test
  void shouldCountRecordsLostInTheMiddleAndAtTheEnd() {
    PhaseResult result = result(tally(0, 1, 2, 3, 4), tally(0, 2));
    assertThat(result.lost()).isEqualTo(3);
    assertThat(result.faults()).hasSize(1);
  }

  @Test
  void shouldCountRecordsThatCameTwice() {
    PhaseResult result = result(tally(0, 1, 2), tally(0, 1, 1, 2));
    assertThat(result.received().duplicated()).isEqualTo(1);
    assertThat(result.faults()).hasSize(1);
  }

  @Test
  void shouldNoticeRecordsThatCameInAnotherOrder() {
    PhaseResult result = result(tally(0, 1, 2), tally(0, 2, 1));
    assertThat(result.lost() + result.received().duplicated()).isPositive();
  }

  @Test
  void shouldNoticeAnotherText() {
    Tally received = tally(0, 1);
    Tally sent = tally(0);
    sent.add(1, 77, 10);
    PhaseResult result = result(sent, received);
    assertThat(result.faults()).hasSize(1);
  }

  @Test
  void shouldNoticeAChannelThatNobodyReported() {
    PhaseResult result = new PhaseResult(1, 1);
    assertThat(result.faults()).hasSize(2);
  }
}

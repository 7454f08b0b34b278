package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.LaneBench.KEY;
import static dev.penstock.transport.protocol.LaneBench.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Role;
import org.junit.jupiter.api.Test;

/** What a peer may ask of a lane: channels at once, channels per second, terminals per second. */
class LaneLimitsTest {
  /** As {@link LaneBench} configures it. */
  private static final int CHANNELS = 100;

  private final LaneBench bench = LaneBench.connected();

  private void open(int number) {
    bench.peer().open(number, Role.SENDER, 7, number, 2, 3, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void shouldRefuseMoreChannelsAtOnceThanWereAgreed() {
    for (int i = 0; i < CHANNELS; i++) {
      open(2 * i + 1);
    }
    assertThat(bench.did()).doesNotContain("RESET");
    open(2 * CHANNELS + 1);
    assertThat(bench.did()).isEqualTo("RESET RESOURCE_EXHAUSTED");
    assertThat(bench.lane.state()).isEqualTo(Lane.State.UP);
  }

  @Test
  void shouldRefuseMoreChannelsPerSecondThanTwiceThoseAgreed() {
    int refused = -1;
    for (int i = 0; i < 4 * CHANNELS && refused < 0; i++) {
      int number = 2 * i + 1;
      open(number);
      refused = bench.did().contains("RESET RESOURCE_EXHAUSTED") ? i : -1;
      bench.peer().reset(number, ErrorCode.CANCELLED, "");
    }
    assertThat(refused).isEqualTo(2 * CHANNELS);
    bench.now += SECOND;
    bench.lane.bytesRead(bench.now);
    open(8 * CHANNELS + 1);
    assertThat(bench.did()).doesNotContain("RESET");
  }

  /** Refused channels are kept until the peer confirms: not without end. */
  @Test
  void shouldEndASessionWhosePeerOpensWithoutEnd() {
    int opened = 0;
    while (bench.lane.state() == Lane.State.UP && opened < 10_000) {
      open(2 * opened++ + 1);
      bench.write();
    }
    assertThat(opened).isBetween(2 * CHANNELS + 1, 2 * CHANNELS + 1_100);
    assertThat(bench.lane.state()).isEqualTo(Lane.State.DEAD);
    assertThat(bench.lane.channels()).isLessThanOrEqualTo(opened);
  }

  @Test
  void shouldEndASessionWhosePeerSendsTerminalsOfChannelsThatAreOverWithoutEnd() {
    int said = 0;
    while (bench.lane.state() == Lane.State.UP && said < 10_000) {
      bench.peer().reset(1, ErrorCode.CANCELLED, "");
      bench.write();
      said++;
    }
    assertThat(said).isEqualTo(2 * CHANNELS + 1);
    assertThat(bench.did()).isEqualTo("violation");
  }

  @Test
  void shouldConfirmTerminalsOfChannelsThatAreOverAtTheirRate() {
    for (int second = 0; second < 20; second++) {
      for (int i = 0; i < 2 * CHANNELS; i++) {
        bench.peer().reset(1, ErrorCode.CANCELLED, "");
      }
      bench.write();
      bench.now += SECOND;
      bench.lane.bytesRead(bench.now);
    }
    assertThat(bench.lane.state()).isEqualTo(Lane.State.UP);
  }

  @Test
  void shouldOpenNoMoreThanThePeerAgreedTo() {
    for (int i = 0; i < CHANNELS; i++) {
      assertThat(bench.lane.openSend(KEY, bench.sender(), Lane.NEVER)).isNotNull();
    }
    assertThat(bench.lane.openSend(KEY, bench.sender(), Lane.NEVER)).isNull();
  }

  @Test
  void shouldUseEveryNumberOfItsOwnAndDrainWhenTheyAreUsedUp() {
    ProtocolAccess.leaveNumbers(bench.lane, 3);
    int first = bench.lane.openSend(KEY, bench.sender(), Lane.NEVER).number();
    int second = bench.lane.openSend(KEY, bench.sender(), Lane.NEVER).number();
    assertThat(second).isEqualTo(first + 2);
    assertThat(bench.did()).doesNotContain("GOAWAY");
    int third = bench.lane.openSend(KEY, bench.sender(), Lane.NEVER).number();
    assertThat(third).isEqualTo(first + 4);
    assertThat(bench.lane.openSend(KEY, bench.sender(), Lane.NEVER)).isNull();
    assertThat(bench.did()).contains("opens no more channels").contains("GOAWAY");
    assertThat(bench.lane.state()).as("its channels live on").isEqualTo(Lane.State.UP);
  }
}

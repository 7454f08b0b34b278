package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.LaneBench.DEADLINE;
import static dev.penstock.transport.protocol.LaneBench.KEY;
import static dev.penstock.transport.protocol.LaneBench.SECOND;
import static dev.penstock.transport.protocol.LaneBench.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Role;
import org.junit.jupiter.api.Test;

/** What a lane once did wrong. */
class LaneRegressionTest {
  private static SendFlow openSend(LaneBench bench) {
    SendFlow flow = bench.lane.openSend(KEY, bench.sender(), Lane.NEVER);
    bench.flow = flow;
    bench.number = flow.number();
    bench.write();
    return flow;
  }

  private static ReceiveFlow openReceive(LaneBench bench) {
    ReceiveFlow flow = bench.lane.openReceive(KEY, bench.receiver(), Lane.NEVER);
    bench.flow = flow;
    bench.number = flow.number();
    bench.write();
    return flow;
  }

  /** Found by the simulator with seed 388. */
  @Test
  void shouldConfirmATerminalThatCameWhileItsOwnWasStillToBeRestated() {
    LaneBench bench = LaneBench.connected();
    SendFlow flow = openSend(bench);
    bench.openedByReceiver(0);
    bench.lane.abort(flow, ErrorCode.CANCELLED, "", Lane.NEVER);
    bench.write();
    bench.disconnect();
    bench.connectSilently();
    bench.peer().reset(bench.number, ErrorCode.STOPPED, "");
    bench.did();
    bench.peer().ready(0, false);
    assertThat(bench.did()).contains("CLOSED");
  }

  @Test
  void shouldNotGrantCreditBeforeTheSenderHasAnswered() {
    LaneBench bench = LaneBench.connected();
    ReceiveFlow flow = openReceive(bench);
    assertThat(bench.did()).contains("OPEN");
    bench.lane.floatAvailable(flow);
    bench.lane.caughtUp(flow, 0);
    bench.lane.consumed(flow, 0);
    assertThat(bench.did()).isEqualTo("–");
  }

  @Test
  void shouldConfirmTheLastChannelBeforeADrainedLaneEnds() {
    LaneBench bench = LaneBench.connected();
    openSend(bench);
    bench.openedByReceiver(0);
    bench.lane.drain(ErrorCode.SHUTTING_DOWN, "");
    bench.did();
    bench.peer().reset(bench.number, ErrorCode.CANCELLED, "");
    assertThat(bench.lane.state()).isEqualTo(Lane.State.UP);
    assertThat(bench.did()).contains("CLOSED");
    assertThat(bench.lane.state()).isEqualTo(Lane.State.DEAD);
  }

  @Test
  void shouldTakeAnOpenThatItsPeersDrainingOvertook() {
    LaneBench bench = LaneBench.connected();
    bench.peer().goAway(ErrorCode.SHUTTING_DOWN, "", true);
    bench.peerOpens(Role.RECEIVER);
    assertThat(bench.lane.answer(bench.number, bench.sender(), flow -> {})).isTrue();
    assertThat(bench.did()).contains("OPENED");
    assertThat(bench.lane.state()).isEqualTo(Lane.State.UP);
  }

  @Test
  void shouldRefuseAnOpenThatCrossesItsOwnDraining() {
    LaneBench bench = LaneBench.connected();
    openSend(bench);
    bench.openedByReceiver(0);
    bench.lane.drain(ErrorCode.SHUTTING_DOWN, "");
    bench.write();
    bench.did();
    bench.peerOpens(Role.RECEIVER);
    assertThat(bench.did()).contains("RESET SHUTTING_DOWN");
    assertThat(bench.lane.state()).isEqualTo(Lane.State.UP);
  }

  /**
   * A connection that replaces one that has not broken yet breaks that, which may be one too many.
   */
  @Test
  void shouldStayDeadWhenAConnectionFindsTheSessionLost() {
    LaneBench bench = LaneBench.connected();
    for (int i = 0; i < ResumePolicy.MAX_BARREN_RESUMES; i++) {
      bench.connect();
      assertThat(bench.lane.state()).isEqualTo(Lane.State.RESTATING);
    }
    bench.connect();
    assertThat(bench.lane.state()).isEqualTo(Lane.State.DEAD);
    assertThat(bench.lane.hasOutput()).isFalse();
  }

  @Test
  void shouldNotTakeAPongForProgressWhileRecordsWait() {
    LaneBench bench = LaneBench.connected();
    openSend(bench);
    bench.openedByReceiver(0);
    bench.records.committed = 1;
    for (int i = 0; i <= ResumePolicy.MAX_BARREN_RESUMES; i++) {
      bench.disconnect();
      bench.connect();
      bench.openedByReceiver(0);
      bench.peer().ready(1, false);
      bench.peer().pong(1);
      bench.write();
    }
    assertThat(bench.lane.state()).isEqualTo(Lane.State.DEAD);
  }

  @Test
  void shouldTakeAPongForProgressWhereNothingWaits() {
    LaneBench bench = LaneBench.connected();
    for (int i = 0; i <= 3 * ResumePolicy.MAX_BARREN_RESUMES; i++) {
      bench.disconnect();
      bench.connect();
      bench.peer().ready(0, false);
      bench.peer().pong(1);
      bench.write();
    }
    assertThat(bench.lane.state()).isEqualTo(Lane.State.UP);
  }

  @Test
  void shouldAskForASignOfLifeAsSoonAsItIsUpAgain() {
    LaneBench bench = LaneBench.connected();
    bench.disconnect();
    bench.connect();
    assertThat(bench.did()).doesNotContain("PING");
    bench.peer().ready(0, false);
    assertThat(bench.did()).contains("PING");
  }

  /** The peer is alive and talks, and never says that it has restated. */
  @Test
  void shouldBreakAConnectionOnWhichReadyNeverComes() {
    LaneBench bench = new LaneBench(true);
    bench.connect();
    long end = bench.now + WINDOW;
    while (bench.now < end) {
      assertThat(bench.lane.state()).isEqualTo(Lane.State.RESTATING);
      bench.lane.bytesRead(bench.now);
      bench.pass(SECOND);
    }
    assertThat(bench.lane.state()).isEqualTo(Lane.State.BROKEN);
  }

  @Test
  void shouldTellAReceiverThatItsSenderIsStarved() {
    LaneBench bench = LaneBench.connected();
    ReceiveFlow flow = openReceive(bench);
    bench.openedBySender(0);
    bench.peer().demand(bench.number, 0, 1L << 30);
    assertThat(bench.hearsOfStarving).isEqualTo(1);
    assertThat(flow.senderStarved()).isTrue();
  }

  @Test
  void shouldReleaseTheLogBeforeItReportsAnOpenDeadline() {
    LaneBench bench = LaneBench.connected();
    bench.flow = bench.lane.openSend(KEY, bench.sender(), bench.now + DEADLINE);
    bench.pass(DEADLINE);
    assertThat(bench.did()).contains("frees log, *FAILED DEADLINE_EXCEEDED*");
  }

  @Test
  void shouldReleaseTheLogBeforeItReportsAnUnknownOutcome() {
    LaneBench bench = LaneBench.connected();
    SendFlow flow = openSend(bench);
    bench.openedByReceiver(0);
    bench.lane.finish(flow, bench.now + DEADLINE);
    bench.did();
    bench.pass(DEADLINE);
    assertThat(bench.did()).contains("frees log, *UNKNOWN DEADLINE_EXCEEDED*");
  }

  @Test
  void shouldReportToTheConsumerThatTheProducerGaveUp() {
    LaneBench bench = LaneBench.connected();
    openReceive(bench);
    bench.openedBySender(0);
    bench.did();
    bench.peer().reset(bench.number, ErrorCode.APPLICATION_ERROR, "the disk is full");
    assertThat(bench.did()).contains("*ABORTED APPLICATION_ERROR*");
  }
}

package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.testkit.Allocations;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Record;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AppendLogTest {
  private static final int KIB = 1024;
  private static final int MAX_FRAME = 64 * KIB - 1024;
  private static final int MAX_MESSAGE = 4096 * KIB;

  private final LogFixture fixture =
      new LogFixture(
          new LogMemory(
              LogMemory.DEFAULT_BYTES, LogMemory.DEFAULT_CHANNELS, LogMemory.DEFAULT_CHANNEL_CAP),
          new LogSettings(MAX_FRAME / 2, MAX_MESSAGE, ChunkSizes.MAX, true));
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final AppendLog log = fixture.newLog(0, 0, wakeUps);
  private final FrameCut cut = new FrameCut();

  @AfterEach
  void nothingIsLeft() {
    log.release();
    fixture.close();
  }

  private void append(int count, int body) {
    ByteBuffer bytes = ByteBuffer.allocate(body);
    for (int i = 0; i < count; i++) {
      assertThat(log.offer(Record.MESSAGE, bytes)).isEqualTo(AppendResult.ADMITTED);
    }
  }

  private void look() {
    assertThat(log.committedPosition()).isEqualTo(log.appendedPosition());
  }

  private long cutAll(long from) {
    long sent = from;
    look();
    while (log.cut(sent, MAX_FRAME, 1024, cut)) {
      sent += cut.length;
    }
    assertThat(sent).isEqualTo(log.committedPosition());
    return sent;
  }

  @Test
  void shouldSendWhatTheWriterSummedWithoutLookingAtAByteOfIt() {
    append(10_000, 100);
    look();
    long sent = 0;
    int whole = 0;
    while (log.cut(sent, MAX_FRAME, 1024, cut) && sent + cut.length < log.committedPosition()) {
      sent += cut.length;
      whole++;
    }
    assertThat(whole).isGreaterThan(10);
    assertThat(sent / whole).as("bytes in a frame").isGreaterThan(MAX_FRAME * 3L / 4);
    assertThat(log.walkedByLoop()).isZero();
    // Ends of chunks that are not worth a segment, and the frame at the end, which is not complete.
    assertThat(log.summedByLoop()).isLessThan(MAX_FRAME + 20L * SegmentWriter.MIN_BYTES);
  }

  @Test
  void shouldSumEachByteOnceWhenTheLoopKeepsPace() {
    long sent = 0;
    for (int i = 0; i < 2000; i++) {
      append(1 + i % 40, 100);
      sent = cutAll(sent);
      log.acknowledged(sent);
    }
    assertThat(log.summedByLoop()).isEqualTo(sent);
    assertThat(log.walkedByLoop()).isZero();
  }

  @Test
  void shouldCutInsideASegmentWhenCreditDoesAndCountTheCost() {
    append(5000, 100);
    long sent = 0;
    look();
    while (sent < 200_000) {
      assertThat(log.cut(sent, MAX_FRAME, 1024, cut)).isTrue();
      sent += cut.length;
    }
    assertThat(log.walkedByLoop()).isZero();
    assertThat(log.cut(sent, 10_000, 1024, cut)).isTrue();
    assertThat(cut.length).isEqualTo(10_000 / 104 * 104);
    assertThat(cut.messages).isEqualTo(10_000 / 104);
    assertThat(log.walkedByLoop()).isPositive();
    assertThat(log.summedByLoop()).isPositive();
    // The rest of what the writer cut is taken as it is, so that the next cuts are whole again.
    sent += cut.length;
    assertThat(log.cut(sent, MAX_FRAME, 1024, cut)).isTrue();
    long walked = log.walkedByLoop();
    cutAll(sent + cut.length);
    assertThat(log.walkedByLoop()).isEqualTo(walked);
  }

  @Test
  void shouldCutALargeMessageIntoPiecesThatAreAlreadySummed() {
    append(1, MAX_MESSAGE);
    look();
    long sent = 0;
    int frames = 0;
    while (log.cut(sent, MAX_FRAME, 1024, cut)) {
      assertThat(cut.flags & Frames.PIECE).isEqualTo(Frames.PIECE);
      sent += cut.length;
      frames++;
    }
    assertThat(sent).isEqualTo(MAX_MESSAGE + Record.HEAD_BYTES);
    assertThat(cut.flags).isEqualTo(Frames.PIECE | Frames.LAST_PIECE);
    assertThat(cut.messages).isEqualTo(1);
    assertThat(frames).isEqualTo((MAX_MESSAGE + MAX_FRAME - 1) / MAX_FRAME);
    assertThat(log.summedByLoop()).isLessThan(SegmentWriter.MIN_BYTES);
  }

  @Test
  void shouldNotCutARecordThatOneFrameMustHold() {
    append(1, 1000);
    look();
    assertThat(log.cut(0, 1003, 1004, cut)).isFalse();
    assertThat(log.cut(0, 1003, 1003, cut)).isTrue();
    assertThat(cut.length).isEqualTo(1003);
    assertThat(cut.flags).isEqualTo(Frames.PIECE);
    assertThat(log.cut(0, 900, 1003, cut)).as("smaller than the smallest piece").isFalse();
    assertThat(log.cut(0, 1004, 1004, cut)).isTrue();
    assertThat(cut.flags).isZero();
  }

  @Test
  void shouldRefuseAMessageOverTheMaximumAtOnce() {
    assertThat(log.tryClaim(Record.MESSAGE, MAX_MESSAGE + 1)).isEqualTo(AppendResult.TOO_LARGE);
    assertThat(log.claim(Record.MESSAGE, MAX_MESSAGE + 1, Long.MAX_VALUE))
        .isEqualTo(AppendResult.TOO_LARGE);
    assertThat(log.tryClaim(Record.MESSAGE, MAX_MESSAGE)).isEqualTo(AppendResult.ADMITTED);
    log.abort();
  }

  @Test
  void shouldWakeTheLoopOnceForAnyNumberOfMessagesWhileItIsBehind() {
    append(1000, 10);
    assertThat(wakeUps).hasValue(1);
    assertThat(log.tryIdle()).as("there is something to send").isFalse();
    append(1, 10);
    assertThat(wakeUps).hasValue(1);
    cutAll(0);
    assertThat(log.tryIdle()).isTrue();
    append(1, 10);
    assertThat(wakeUps).hasValue(2);
  }

  @Test
  void shouldRefuseTwoClaimsAtOnceAndCommitsOfNothing() {
    assertThatThrownBy(log::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(log::abort).isInstanceOf(IllegalStateException.class);
    assertThat(log.tryClaim(Record.MESSAGE, 1)).isEqualTo(AppendResult.ADMITTED);
    assertThatThrownBy(() -> log.tryClaim(Record.MESSAGE, 1))
        .isInstanceOf(IllegalStateException.class);
    log.abort();
  }

  @Test
  void shouldGrowChunksWithTheTrafficAndGiveAllButTheSmallestBackWhenIdle() {
    append(5000, 100);
    assertThat(fixture.activeBuffers()).isLessThan(20);
    long sent = cutAll(0);
    log.acknowledged(sent);
    assertThat(log.tryIdle()).isTrue();
    assertThat(log.charged()).isZero();
    append(1, 100);
    assertThat(log.charged()).isEqualTo(ChunkSizes.start(fixture.memory.floor()));
    log.acknowledged(cutAll(sent));
    assertThat(log.tryIdle()).isTrue();
    assertThat(log.charged()).isEqualTo(ChunkSizes.start(fixture.memory.floor()));
  }

  @Test
  void shouldKeepChunksSmallWhileEachMessageIsAcknowledgedBeforeTheNext() {
    long sent = 0;
    for (int i = 0; i < 1000; i++) {
      append(1, 100);
      sent = cutAll(sent);
      log.acknowledged(sent);
      assertThat(log.tryIdle()).isTrue();
      assertThat(log.charged()).isLessThanOrEqualTo(2L * ChunkSizes.start(fixture.memory.floor()));
    }
  }

  @Test
  void shouldFreeAnAcknowledgedChunkOnlyWhenNoWriteRefersToIt() {
    append(1, 100_000);
    look();
    List<ByteBuf> writes = new ArrayList<>();
    assertThat(log.cut(0, MAX_FRAME, 1024, cut)).isTrue();
    log.slicePayload(0, cut.length, writes::add);
    long sent = cutAll(cut.length);
    log.acknowledged(sent);
    assertThat(log.tryIdle()).isTrue();
    assertThat(log.charged()).isGreaterThanOrEqualTo(100_000);
    assertThat(fixture.activeBuffers()).isEqualTo(1);
    writes.forEach(ByteBuf::release);
    assertThat(log.charged()).isZero();
    assertThat(fixture.activeBuffers()).isZero();
  }

  @Test
  void shouldFreeWhatIsWrittenOnlyAfterTheWriteWhenTheChannelEnds() {
    append(1, 10_000);
    look();
    List<ByteBuf> writes = new ArrayList<>();
    assertThat(log.cut(0, MAX_FRAME, 1024, cut)).isTrue();
    log.slicePayload(0, cut.length, writes::add);
    log.release();
    assertThat(fixture.memory.registered()).as("its floor is still in use").isEqualTo(1);
    assertThat(writes.get(0).getByte(9_999)).isZero();
    writes.forEach(ByteBuf::release);
    assertThat(fixture.memory.registered()).isZero();
  }

  @Test
  void shouldRefuseEverythingAfterTheEnd() {
    append(1, 10);
    log.release();
    assertThat(log.tryClaim(Record.MESSAGE, 1)).isEqualTo(AppendResult.CLOSED);
    assertThat(log.offer(Record.EVENT, ByteBuffer.allocate(1))).isEqualTo(AppendResult.CLOSED);
    assertThat(log.claim(Record.MESSAGE, 1, System.nanoTime())).isEqualTo(AppendResult.CLOSED);
    assertThat(log.cut(0, MAX_FRAME, 1024, cut)).isFalse();
    log.acknowledged(14);
    assertThat(log.tryIdle()).isTrue();
    assertThat(fixture.activeBuffers()).isZero();
  }

  @Test
  void shouldLeaveAClaimedRecordsMemoryToTheWriterWhenTheChannelEnds() {
    append(1, 10);
    assertThat(log.tryClaim(Record.MESSAGE, 500)).isEqualTo(AppendResult.ADMITTED);
    log.release();
    LogFixture.claimed(log).put(new byte[500]);
    assertThat(fixture.activeBuffers()).isPositive();
    assertThat(log.commit()).as("it will not be sent").isFalse();
    assertThat(fixture.activeBuffers()).isZero();
    assertThat(log.tryClaim(Record.MESSAGE, 1)).isEqualTo(AppendResult.CLOSED);
  }

  @Test
  void shouldFreeAClaimThatIsAbortedAfterTheEnd() {
    assertThat(log.tryClaim(Record.MESSAGE, 500)).isEqualTo(AppendResult.ADMITTED);
    log.release();
    log.abort();
    assertThat(fixture.activeBuffers()).isZero();
  }

  @Test
  void shouldNotKeepAChunkThatOnlyAnAbortedClaimNeeded() {
    assertThat(log.tryClaim(Record.MESSAGE, 100_000)).isEqualTo(AppendResult.ADMITTED);
    log.abort();
    assertThat(wakeUps).as("the loop is to look").hasValue(1);
    assertThat(log.tryIdle()).isTrue();
    assertThat(fixture.activeBuffers()).isZero();
  }

  @Test
  void shouldGiveNoSumsWhenBothSidesAgreedToDoWithoutThem() {
    log.payloadCrcOff();
    append(1000, 100);
    look();
    assertThat(log.cut(0, MAX_FRAME, 1024, cut)).isTrue();
    assertThat(cut.crc).isZero();
    assertThat(cut.messages).isPositive();
    assertThat(log.summedByLoop()).isZero();
  }

  @Test
  void shouldAlwaysHaveRoomForOneEvent() {
    LogSettings settings = new LogSettings(8000, 64 * KIB, 64 * KIB, true);
    try (LogFixture tight = new LogFixture(new LogMemory(16 * KIB, 8, 0), settings)) {
      AppendLog full = tight.newLog();
      while (full.offer(Record.MESSAGE, ByteBuffer.allocate(50)) == AppendResult.ADMITTED) {}
      ByteBuffer event = ByteBuffer.allocate(256);
      assertThat(full.offer(Record.EVENT, event)).isEqualTo(AppendResult.ADMITTED);
      assertThat(full.offer(Record.EVENT, event)).isEqualTo(AppendResult.BACK_PRESSURED);
      assertThat(full.charged()).isLessThanOrEqualTo(tight.memory.floor());
      full.release();
    }
  }

  @Test
  void shouldCarryAMessageLargerThanEverythingElseOneAtATime() {
    LogSettings settings = new LogSettings(8000, 64 * KIB, 64 * KIB, true);
    try (LogFixture tight = new LogFixture(new LogMemory(16 * KIB, 8, 0), settings)) {
      AppendLog full = tight.newLog();
      ByteBuffer large = ByteBuffer.allocate(64 * KIB);
      assertThat(full.offer(Record.MESSAGE, large)).isEqualTo(AppendResult.ADMITTED);
      assertThat(full.offer(Record.MESSAGE, large)).isEqualTo(AppendResult.BACK_PRESSURED);
      assertThat(full.committedPosition()).isEqualTo(64 * KIB + Record.HEAD_BYTES);
      long sent = 0;
      while (full.cut(sent, 5000, 1024, cut)) {
        sent += cut.length;
      }
      full.acknowledged(sent);
      assertThat(full.offer(Record.MESSAGE, large)).isEqualTo(AppendResult.ADMITTED);
      full.release();
    }
  }

  @Test
  void shouldHoldTenThousandChannelsWithDataInTheDefaultBudget() {
    List<AppendLog> logs = new ArrayList<>();
    byte[] body = LogModel.randomBody(new Random(1), 200);
    for (int i = 0; i < LogMemory.DEFAULT_CHANNELS - 1; i++) {
      logs.add(fixture.newLog());
    }
    int admitted = 0;
    for (int round = 0; round < 5; round++) {
      for (AppendLog each : logs) {
        if (each.offer(Record.MESSAGE, ByteBuffer.wrap(body)) == AppendResult.ADMITTED) {
          admitted++;
        } else {
          assertThat(round).as("records a floor holds").isGreaterThanOrEqualTo(5);
        }
      }
    }
    assertThat(admitted).isEqualTo(5 * logs.size());
    assertThat(logs.stream().mapToLong(AppendLog::charged).sum())
        .isLessThanOrEqualTo(LogMemory.DEFAULT_BYTES);
    assertThat(fixture.allocator.metric().usedDirectMemory())
        .as("what the allocator holds, slack of its arenas included")
        .isLessThanOrEqualTo(LogMemory.DEFAULT_BYTES * 5 / 4);
    logs.forEach(AppendLog::release);
  }

  @Test
  void shouldAllocateNothingOnTheHeapForAMessageOrACut() {
    ByteBuffer body = ByteBuffer.allocate(100);
    ByteBuffer target = ByteBuffer.allocateDirect(MAX_FRAME);
    append(5000, 100);
    long sent = cutAll(0);
    int frames = 0;
    long before = Allocations.ofThisThread();
    for (int i = 0; i < 200; i++) {
      for (int j = 0; j < 5; j++) {
        log.offer(Record.MESSAGE, body);
      }
      log.committedPosition();
      while (log.cut(sent, MAX_FRAME, 1024, cut)) {
        log.copyPayload(sent, cut.length, target.clear());
        sent += cut.length;
        frames++;
      }
    }
    long allocated = Allocations.ofThisThread() - before;
    assertThat(frames).isEqualTo(200);
    // One chunk was used up: its objects, not those of messages.
    assertThat(allocated / 1000).as("bytes for each message").isLessThan(8);
  }
}

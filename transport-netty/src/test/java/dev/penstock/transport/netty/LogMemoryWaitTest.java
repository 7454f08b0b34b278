package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.wire.Record;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers that wait for memory. A waiter that is missed hangs its test. */
@Timeout(60)
class LogMemoryWaitTest {
  private static final int KIB = 1024;

  private final LogFixture fixture =
      new LogFixture(
          new LogMemory(64 * KIB, 4, 64 * KIB), new LogSettings(8000, 64 * KIB, 64 * KIB, true));
  private final List<AppendLog> logs = new ArrayList<>();

  @AfterEach
  void nothingIsLeft() {
    logs.forEach(AppendLog::release);
    fixture.close();
  }

  private AppendLog newLog() {
    AppendLog log = fixture.newLog();
    logs.add(log);
    return log;
  }

  private static long fill(AppendLog log, int body) {
    ByteBuffer bytes = ByteBuffer.allocate(body);
    while (log.offer(Record.MESSAGE, bytes) == AppendResult.ADMITTED) {}
    return log.appendedPosition();
  }

  private static void cutAll(AppendLog log) {
    FrameCut cut = new FrameCut();
    long sent = 0;
    while (log.cut(sent, 64 * KIB, 64 * KIB, cut)) {
      sent += cut.length;
    }
    assertThat(sent).isEqualTo(log.committedPosition());
  }

  private static Waiting waitFor(Callable<AppendResult> call) throws InterruptedException {
    Waiting waiting = new Waiting(call);
    waiting.thread.start();
    while (waiting.thread.getState() != Thread.State.TIMED_WAITING
        && waiting.thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
    return waiting;
  }

  private static long inAMinute() {
    return System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
  }

  private static final class Waiting {
    private final FutureTask<AppendResult> task;
    private final Thread thread;

    Waiting(Callable<AppendResult> call) {
      task = new FutureTask<>(call);
      thread = new Thread(task, "writer");
    }

    AppendResult result() throws InterruptedException {
      try {
        AppendResult result = task.get(30, TimeUnit.SECONDS);
        thread.join();
        return result;
      } catch (ExecutionException | TimeoutException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void shouldWakeAWriterWhenItsOwnRecordsAreAcknowledged() throws InterruptedException {
    AppendLog log = newLog();
    fill(log, 1000);
    Waiting waiting = waitFor(() -> log.awaitRoom(Record.MESSAGE, 1000, inAMinute()));
    cutAll(log);
    log.acknowledged(log.committedPosition());
    assertThat(waiting.result()).isEqualTo(AppendResult.ADMITTED);
    assertThat(log.tryClaim(Record.MESSAGE, 1000)).isEqualTo(AppendResult.ADMITTED);
    log.abort();
  }

  @Test
  void shouldWakeAWriterWhenAnotherChannelGivesFloatBack() throws InterruptedException {
    AppendLog greedy = newLog();
    AppendLog second = newLog();
    fill(greedy, 1000);
    long full = fill(second, 1000);
    assertThat(full).isPositive();
    Waiting waiting = waitFor(() -> second.awaitRoom(Record.MESSAGE, 1000, inAMinute()));
    cutAll(greedy);
    greedy.acknowledged(greedy.committedPosition());
    assertThat(waiting.result()).isEqualTo(AppendResult.ADMITTED);
  }

  @Test
  void shouldWakeEveryWriterThatTheFloatServes() throws InterruptedException {
    AppendLog greedy = newLog();
    fill(greedy, 1000);
    List<Waiting> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      AppendLog log = newLog();
      fill(log, 1000);
      all.add(waitFor(() -> log.awaitRoom(Record.MESSAGE, 100, inAMinute())));
    }
    greedy.release();
    logs.remove(greedy);
    for (Waiting waiting : all) {
      assertThat(waiting.result()).isEqualTo(AppendResult.ADMITTED);
    }
  }

  @Test
  void shouldPassTheWakeUpOnWhenTheFirstWaiterNoLongerWaits() throws InterruptedException {
    LogMemory memory = fixture.memory;
    RoomWaiter left = new RoomWaiter();
    left.arm(1, 0);
    memory.await(left);
    left.disarm();
    AppendLog greedy = newLog();
    AppendLog second = newLog();
    fill(greedy, 1000);
    fill(second, 1000);
    Waiting waiting = waitFor(() -> second.awaitRoom(Record.MESSAGE, 1000, inAMinute()));
    cutAll(greedy);
    greedy.acknowledged(greedy.committedPosition());
    assertThat(waiting.result()).isEqualTo(AppendResult.ADMITTED);
  }

  @Test
  void shouldWakeAWriterWhenItsChannelEnds() throws InterruptedException {
    AppendLog log = newLog();
    fill(log, 1000);
    Waiting waiting = waitFor(() -> log.claim(Record.MESSAGE, 1000, inAMinute()));
    logs.remove(log);
    log.release();
    assertThat(waiting.result()).isEqualTo(AppendResult.CLOSED);
  }

  @Test
  void shouldGiveUpAtTheDeadline() {
    AppendLog log = newLog();
    fill(log, 1000);
    assertThat(log.claim(Record.MESSAGE, 1000, System.nanoTime() + 1))
        .isEqualTo(AppendResult.TIMED_OUT);
    assertThat(log.claim(Record.MESSAGE, 1000, System.nanoTime() - 1))
        .isEqualTo(AppendResult.TIMED_OUT);
  }

  @Test
  void shouldStopWaitingWhenInterruptedAndKeepTheStatus() throws InterruptedException {
    AppendLog log = newLog();
    fill(log, 1000);
    boolean[] interrupted = new boolean[1];
    Waiting waiting =
        waitFor(
            () -> {
              AppendResult result = log.claim(Record.MESSAGE, 1000, inAMinute());
              interrupted[0] = Thread.interrupted();
              return result;
            });
    waiting.thread.interrupt();
    assertThat(waiting.result()).isEqualTo(AppendResult.INTERRUPTED);
    assertThat(interrupted[0]).isTrue();
  }

  @Test
  void shouldWakeAWriterOfALargeMessageWhenTheScratchIsFree() throws InterruptedException {
    ScratchPermit scratch = new ScratchPermit(fixture.settings.maxMessageChunk());
    AppendLog first = fixture.newLog(scratch);
    AppendLog second = fixture.newLog(scratch);
    logs.add(first);
    logs.add(second);
    ByteBuffer large = ByteBuffer.allocate(60 * KIB);
    assertThat(first.offer(Record.MESSAGE, large)).isEqualTo(AppendResult.ADMITTED);
    assertThat(scratch.heldBytes()).isEqualTo(ChunkSizes.holding(60 * KIB + 4));
    assertThat(second.offer(Record.MESSAGE, large)).isEqualTo(AppendResult.BACK_PRESSURED);
    Waiting waiting = waitFor(() -> second.awaitRoom(Record.MESSAGE, 60 * KIB, inAMinute()));
    cutAll(first);
    first.acknowledged(first.committedPosition());
    assertThat(waiting.result()).isEqualTo(AppendResult.ADMITTED);
  }

  @Test
  void shouldFreeTheWritersOwnEmptyChunkWhenItLacksMemoryForAnother() {
    try (LogFixture floors = new LogFixture(new LogMemory(64 * KIB, 4, 0), fixture.settings)) {
      AppendLog log = floors.newLog();
      // Small enough to stay when empty, large enough to stand in the way.
      assertThat(log.offer(Record.MESSAGE, ByteBuffer.allocate(10)))
          .isEqualTo(AppendResult.ADMITTED);
      cutAll(log);
      log.acknowledged(log.committedPosition());
      assertThat(log.tryIdle()).isTrue();
      assertThat(log.charged()).isPositive();
      int body = floors.memory.floor() - ChunkSizes.EVENT - 1000;
      assertThat(log.tryClaim(Record.MESSAGE, body)).isEqualTo(AppendResult.BACK_PRESSURED);
      assertThat(log.tryIdle()).isTrue();
      assertThat(log.charged()).isZero();
      assertThat(log.tryClaim(Record.MESSAGE, body)).isEqualTo(AppendResult.ADMITTED);
      log.abort();
      log.release();
    }
  }
}

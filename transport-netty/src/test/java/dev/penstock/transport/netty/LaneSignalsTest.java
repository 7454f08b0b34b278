package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LaneSignalsTest {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private int turns;
  private final LaneSignals<String> signals = new LaneSignals<>(tasks::add, () -> turns++);

  @Test
  void shouldGiveTheLoopOneTaskWhileItIsBehind() {
    for (int i = 0; i < 10_000; i++) {
      signals.signal("channel " + i);
    }
    assertThat(tasks).hasSize(1);
    tasks.poll().run();
    assertThat(turns).isEqualTo(1);
    signals.begin();
    for (int i = 0; i < 10_000; i++) {
      assertThat(signals.next()).isEqualTo("channel " + i);
    }
    assertThat(signals.next()).isNull();
    assertThat(tasks).isEmpty();
  }

  @Test
  void shouldWakeTheLoopAgainForWhatComesDuringItsTurn() {
    signals.signal("first");
    tasks.poll().run();
    signals.begin();
    signals.signal("second");
    assertThat(tasks).hasSize(1);
    assertThat(signals.next()).isEqualTo("first");
    assertThat(signals.next()).isEqualTo("second");
    assertThat(signals.next()).isNull();
  }

  @Test
  void shouldTellTheWriterThatTheLoopHasStopped() {
    LaneSignals<String> stopped =
        new LaneSignals<>(
            task -> {
              throw new RejectedExecutionException("stopped");
            },
            () -> {});
    assertThatThrownBy(() -> stopped.signal("channel"))
        .isInstanceOf(RejectedExecutionException.class);
  }
}

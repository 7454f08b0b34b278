package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SlotLedgerTest {
  private static final int SLOTS = 10;

  private final SlotLedger ledger = new SlotLedger();
  private final Map<Integer, Demand.Shuffle> graph = new HashMap<>();

  private static final class Stage implements SlotLedger.Stage {
    private final int number;
    private final int tasks;
    private final List<Integer> inputs;
    private SlotLedger.Group group;

    Stage(int number, int tasks, Integer... inputs) {
      this.number = number;
      this.tasks = tasks;
      this.inputs = List.of(inputs);
    }

    @Override
    public int number() {
      return number;
    }

    @Override
    public int tasks() {
      return tasks;
    }

    @Override
    public List<Integer> inputs() {
      return inputs;
    }

    @Override
    public SlotLedger.Group group() {
      return group;
    }

    @Override
    public void group(SlotLedger.Group value) {
      group = value;
    }
  }

  private SlotLedger.Grant reserve(Stage stage, int shuffle) {
    return ledger.reserve(stage, shuffle, graph::get, SLOTS);
  }

  private void realTime(int shuffle, int maps) {
    graph.put(shuffle, new Demand.Shuffle(maps, true, List.of()));
  }

  private void batch(int shuffle, int maps, Integer... inputs) {
    graph.put(shuffle, new Demand.Shuffle(maps, false, List.of(inputs)));
  }

  @Test
  void shouldLetInWhatFitsAndNothingMore() {
    realTime(1, 3);
    realTime(2, 2);

    assertThat(reserve(new Stage(1, 3, 1), 1).isRefused()).isFalse();
    assertThat(reserve(new Stage(2, 3, 2), 2).refusal())
        .isEqualTo("5 tasks have to run at the same time, but of 10 slots 4 are free");
    assertThat(reserve(new Stage(3, 2, 2), 2).isRefused()).isFalse();
    assertThat(ledger.inUse()).isEqualTo(SLOTS);
  }

  @Test
  void shouldCountTasksOfOthers() {
    realTime(1, 6);
    ledger.started(7);
    ledger.started(7);

    assertThat(reserve(new Stage(1, 3, 1), 1).isRefused()).isTrue();
    ledger.ended(7);
    assertThat(reserve(new Stage(1, 3, 1), 1).isRefused()).isFalse();
  }

  @Test
  void shouldNotCountAGroupsOwnTasksTwice() {
    realTime(1, 8);
    ledger.started(1);
    ledger.started(1);

    assertThat(reserve(new Stage(1, 2, 1), 1).isRefused()).isFalse();
    ledger.ended(1);
    assertThat(ledger.inUse()).isEqualTo(SLOTS);
  }

  @Test
  void shouldStillCountTheTasksOfAStageThatIsRefused() {
    realTime(1, 8);
    ledger.started(1);
    ledger.started(1);
    ledger.started(1);

    assertThat(reserve(new Stage(1, 3, 1), 1).isRefused()).isTrue();
    assertThat(ledger.inUse()).isEqualTo(3);
  }

  @Test
  void shouldAskAgainForWhatWasNotForeseen() {
    realTime(1, 3);
    Stage stage = new Stage(1, 2, 1);

    assertThat(reserve(stage, 1).isRefused()).isFalse();
    assertThat(ledger.inUse()).isEqualTo(5);
    assertThat(reserve(stage, 1).isRefused()).isFalse();
    assertThat(ledger.inUse()).isEqualTo(8);
    assertThat(reserve(stage, 1).refusal()).isEqualTo("3 more writers do not fit into 10 slots");
  }

  @Test
  void shouldGiveBackAllOfAGroup() {
    realTime(1, 8);
    Stage stage = new Stage(1, 2, 1);
    assertThat(reserve(stage, 1).isRefused()).isFalse();
    ledger.release(stage.group());

    assertThat(ledger.inUse()).isZero();
  }

  @Test
  void shouldRunWritersInWavesWhenAllReadersRun() {
    batch(1, 100);
    Stage stage = new Stage(1, 3, 1);
    AtomicInteger starts = new AtomicInteger();
    ledger.started(1);

    SlotLedger.Grant grant = reserve(stage, 1);
    assertThat(grant.waves()).isTrue();
    assertThat(ledger.inUse()).isEqualTo(4);
    ledger.whenOthersRun(stage.group(), grant, starts::incrementAndGet);
    ledger.started(stage.group());
    assertThat(starts).hasValue(0);
    ledger.started(stage.group());
    assertThat(starts).hasValue(1);
  }

  @Test
  void shouldNotRunWritersInWavesThatAreReadTwice() {
    batch(1, 3);
    Stage stage = new Stage(1, 2, 1);

    assertThat(reserve(stage, 1).waves()).isTrue();
    assertThat(reserve(stage, 1).waves()).isFalse();
    assertThat(ledger.inUse()).isEqualTo(2 + 3 + 3);
  }

  @Test
  void shouldCountAShuffleForEachStageThatReadsIt() {
    batch(1, 2);
    batch(2, 1, 1);
    batch(3, 1, 1);

    assertThat(Demand.of(List.of(2, 3), 2, graph::get))
        .isEqualTo(new Demand(2 + 1 + 2 + 1 + 2, false));
    assertThat(Demand.of(List.of(2), 2, graph::get)).isEqualTo(new Demand(2 + 1 + 1, true));
  }
}

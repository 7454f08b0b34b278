package dev.penstock.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Who needs how many task slots. Stages that run together are a group; a group is let in only if
 * all of it fits, for a reader that holds a slot while its writer waits for one is a deadlock. No
 * threads, no Spark: the tracker tells it what happens.
 */
final class SlotLedger {
  /** A stage that reads pipelined shuffles. */
  interface Stage {
    int number();

    int tasks();

    List<Integer> inputs();

    Group group();

    void group(Group value);
  }

  /** Stages that must run at the same time. */
  static final class Group {
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean waves;
    private int reserved;
    private int launched;
    private int inWaves;
    private int started;
    private int before;

    private Group(Demand demand, int consumers, int started) {
      this.waves = demand.waves();
      this.reserved = demand.slots();
      this.launched = consumers;
      this.started = started;
    }
  }

  /**
   * The answer to a stage that wants to run a shuffle's writers.
   *
   * @param writers how many of them have a slot of their own
   * @param waves whether the others run in the slots that these leave
   * @param refusal why they cannot run, or null
   */
  record Grant(int writers, boolean waves, String refusal) {
    static Grant refused(String reason) {
      return new Grant(0, false, reason);
    }

    boolean isRefused() {
      return refusal != null;
    }
  }

  private final Map<Group, Boolean> groups = new HashMap<>();
  private final Map<Integer, Integer> others = new HashMap<>();
  private final Map<Integer, Integer> starts = new HashMap<>();

  /** A task of a stage that is in no group has started. */
  void started(int stage) {
    others.merge(stage, 1, Integer::sum);
    starts.merge(stage, 1, Integer::sum);
  }

  /** An attempt of a stage is over. */
  void completed(int stage) {
    starts.remove(stage);
  }

  void ended(int stage) {
    others.computeIfPresent(stage, (unused, count) -> count == 1 ? null : count - 1);
  }

  /**
   * Reserves slots for the writers of a shuffle that a stage is about to read, the first time for
   * all that has to run with this stage.
   *
   * @param graph shuffles by number; null if one is not pipelined
   * @param slots how many there are
   */
  Grant reserve(Stage stage, int shuffle, IntFunction<Demand.Shuffle> graph, int slots) {
    if (stage.group() == null) {
      Demand demand = Demand.of(stage.inputs(), stage.tasks(), graph);
      Group group = admit(stage.number(), demand, stage.tasks(), slots);
      if (group == null) {
        int free = slots - inUse() + others.getOrDefault(stage.number(), 0);
        return Grant.refused(
            demand.slots()
                + " tasks have to run at the same time, but of "
                + slots
                + " slots "
                + free
                + " are free");
      }
      stage.group(group);
    }
    Demand.Shuffle read = graph.apply(shuffle);
    int maps = read == null ? 0 : read.maps();
    int writers = launch(stage.group(), maps, read != null && read.isLeaf(graph), slots);
    return writers < 0
        ? Grant.refused(maps + " more writers do not fit into " + slots + " slots")
        : new Grant(writers, writers < maps, null);
  }

  /** Lets a group in, if it fits; the stage's own tasks are no longer counted by themselves. */
  private Group admit(int stage, Demand demand, int consumers, int slots) {
    int running = others.getOrDefault(stage, 0);
    if (inUse() - running + demand.slots() > slots) {
      return null;
    }
    others.remove(stage);
    // Some may have ended, without a look at what the others read.
    Group group = new Group(demand, consumers, starts.getOrDefault(stage, 0));
    groups.put(group, true);
    return group;
  }

  /**
   * Writers of a group are about to start; more than was foreseen if a shuffle is read twice. Then
   * none may run in waves: who reads the one run first would wait for slots that writers of the
   * other hold, who wait for their reader.
   *
   * @return how many have a slot each, or −1 if there is no room
   */
  private int launch(Group group, int maps, boolean leaf, int slots) {
    boolean waves = group.waves && leaf;
    int writers = waves ? Math.min(1, maps) : maps;
    int late = 0;
    boolean unforeseen = group.launched + writers > group.reserved;
    if (unforeseen) {
      writers = maps;
      late = Math.max(0, group.inWaves - 1);
    }
    int extra = Math.max(0, group.launched + writers + late - group.reserved);
    if (inUse() + extra > slots) {
      return -1;
    }
    group.launched += writers + late;
    group.reserved += extra;
    if (unforeseen) {
      group.waves = false;
      group.inWaves = 0;
    } else if (waves) {
      group.inWaves = maps;
      group.before = group.launched - writers;
    }
    return writers;
  }

  /**
   * Runs this when no other task of the group can miss its slot any more: writers in waves take all
   * that are free.
   */
  void whenOthersRun(Group group, Grant grant, Runnable start) {
    if (!grant.waves() || group.started >= group.before) {
      start.run();
    } else {
      group.waiting.add(start);
    }
  }

  /** A task of a stage that is in a group has started. */
  void started(Group group) {
    group.started++;
    if (group.started == group.before) {
      group.waiting.forEach(Runnable::run);
      group.waiting.clear();
    }
  }

  void release(Group group) {
    groups.remove(group);
  }

  int inUse() {
    int sum = 0;
    for (Group group : groups.keySet()) {
      sum += group.reserved;
    }
    for (int count : others.values()) {
      sum += count;
    }
    return sum;
  }
}

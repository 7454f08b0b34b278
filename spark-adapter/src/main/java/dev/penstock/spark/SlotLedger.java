package dev.penstock.spark;

import java.util.HashMap;
import java.util.Map;

/**
 * Who needs how many task slots. Stages that run together are a group; a group is let in only if
 * all of it fits, for a reader that holds a slot while its writer waits for one is a deadlock. No
 * threads, no Spark: the tracker tells it what happens.
 */
final class SlotLedger {
  /** Stages that must run at the same time. */
  static final class Group {
    private final boolean waves;
    private int reserved;
    private int launched;

    private Group(int reserved, boolean waves, int launched) {
      this.reserved = reserved;
      this.waves = waves;
      this.launched = launched;
    }

    /** Whether writers without inputs of their own may run one after the other. */
    boolean waves() {
      return waves;
    }
  }

  private final Map<Group, Boolean> groups = new HashMap<>();
  private final Map<Integer, Integer> others = new HashMap<>();

  /** A task of a stage that is in no group has started. */
  void started(int stage) {
    others.merge(stage, 1, Integer::sum);
  }

  void ended(int stage) {
    others.computeIfPresent(stage, (unused, count) -> count == 1 ? null : count - 1);
  }

  /** The stage is in a group now: its tasks are no longer counted by themselves. */
  void grouped(int stage) {
    others.remove(stage);
  }

  /**
   * Lets a group in, if it fits.
   *
   * @param demand slots for the consumer's tasks and all writers above it
   * @param consumers how many of these are the consumer's
   * @param waves as in {@link Group#waves}
   * @param slots how many there are
   * @return the group, or null
   */
  Group admit(int demand, int consumers, boolean waves, int slots) {
    if (inUse() + demand > slots) {
      return null;
    }
    Group group = new Group(demand, waves, consumers);
    groups.put(group, true);
    return group;
  }

  /**
   * Writers of a group are about to start; more than was foreseen if a shuffle is read twice.
   *
   * @return whether there is room
   */
  boolean launch(Group group, int writers, int slots) {
    int extra = Math.max(0, group.launched + writers - group.reserved);
    if (inUse() + extra > slots) {
      return false;
    }
    group.launched += writers;
    group.reserved += extra;
    return true;
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

package dev.penstock.spark;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.ShuffleDependency;

/**
 * How many tasks have to run at the same time if a stage reads its pipelined inputs.
 *
 * @param slots the consumer's tasks and all writers above it
 * @param waves whether leaf writers are counted as one, because they may run one after the other
 */
record Demand(int slots, boolean waves) {
  static Demand of(StageState stage, Map<Integer, ShuffleEntry> shuffles) {
    Walk walk = new Walk(shuffles);
    for (int input : stage.inputs()) {
      walk.visit(shuffles.get(input));
    }
    return walk.demand(stage.tasks());
  }

  /** For a shuffle that is being registered, before there are stages. */
  static Demand of(
      ShuffleDependency<?, ?, ?> dependency,
      int maps,
      int partitions,
      Map<Integer, ShuffleEntry> shuffles) {
    Walk walk = new Walk(shuffles);
    walk.count(dependency, maps);
    return walk.demand(partitions);
  }

  /** How many of these a shuffle's writers are. */
  static int count(ShuffleEntry entry, boolean waves, Map<Integer, ShuffleEntry> shuffles) {
    ShuffleDependency<?, ?, ?> dependency = entry.dependency();
    boolean leaf = dependency == null || isLeaf(dependency, shuffles);
    return waves && leaf ? Math.min(1, entry.maps()) : entry.maps();
  }

  private static boolean isLeaf(
      ShuffleDependency<?, ?, ?> dependency, Map<Integer, ShuffleEntry> shuffles) {
    for (ShuffleDependency<?, ?, ?> input : Route.inputs(dependency.rdd())) {
      ShuffleEntry above = shuffles.get(input.shuffleId());
      if (above != null && !above.isSort()) {
        return false;
      }
    }
    return true;
  }

  private static final class Walk {
    private final Map<Integer, ShuffleEntry> shuffles;
    private final Set<Integer> seen = new HashSet<>();
    private int inner;
    private int leafMaps;
    private int leaves;
    private boolean realTime;

    Walk(Map<Integer, ShuffleEntry> shuffles) {
      this.shuffles = shuffles;
    }

    void visit(ShuffleEntry entry) {
      if (entry == null || entry.isSort() || !seen.add(entry.shuffle())) {
        return;
      }
      realTime |= entry.realTime();
      ShuffleDependency<?, ?, ?> dependency = entry.dependency();
      if (dependency == null) {
        inner += entry.maps();
      } else {
        count(dependency, entry.maps());
      }
    }

    void count(ShuffleDependency<?, ?, ?> dependency, int maps) {
      if (isLeaf(dependency, shuffles)) {
        leaves++;
        leafMaps += maps;
        return;
      }
      inner += maps;
      for (ShuffleDependency<?, ?, ?> input : Route.inputs(dependency.rdd())) {
        visit(shuffles.get(input.shuffleId()));
      }
    }

    /** Only with a single leaf: in a join, one side's writers would hold the other's slots. */
    Demand demand(int consumers) {
      boolean waves = leaves == 1 && !realTime;
      return new Demand(consumers + inner + (waves ? Math.min(1, leafMaps) : leafMaps), waves);
    }
  }
}

package dev.penstock.spark;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;

/**
 * How many tasks have to run at the same time if a stage reads its pipelined inputs.
 *
 * @param slots the consumer's tasks and all writers above it
 * @param waves whether leaf writers are counted as one, because they may run one after the other
 */
record Demand(int slots, boolean waves) {
  /**
   * A shuffle that is pipelined.
   *
   * @param maps how many writers it has
   * @param realTime whether all of them have to run at the same time
   * @param inputs the shuffles that these read, pipelined or not; null if nobody knows any more
   */
  record Shuffle(int maps, boolean realTime, List<Integer> inputs) {
    /** Whether its writers read no pipelined shuffle. */
    boolean isLeaf(IntFunction<Shuffle> graph) {
      return inputs != null && inputs.stream().allMatch(input -> graph.apply(input) == null);
    }
  }

  /**
   * For a stage that reads, or will read.
   *
   * @param inputs the shuffles that it reads
   * @param tasks how many tasks it has
   * @param graph shuffles by number; null if one is not pipelined
   */
  static Demand of(List<Integer> inputs, int tasks, IntFunction<Shuffle> graph) {
    return Walk.demand(tasks, new Walk(graph).all(inputs));
  }

  /** For a shuffle that is being registered, before there are stages. */
  static Demand of(
      ShuffleDependency<?, ?, ?> dependency,
      int maps,
      int partitions,
      Map<Integer, ShuffleEntry> shuffles) {
    Shuffle shuffle = new Shuffle(maps, false, inputs(dependency.rdd()));
    return Walk.demand(partitions, new Walk(graph(shuffles)).count(shuffle));
  }

  static IntFunction<Shuffle> graph(Map<Integer, ShuffleEntry> shuffles) {
    return number -> {
      ShuffleEntry entry = shuffles.get(number);
      if (entry == null || entry.isSort()) {
        return null;
      }
      ShuffleDependency<?, ?, ?> dependency = entry.dependency();
      return new Shuffle(
          entry.maps(), entry.realTime(), dependency == null ? null : inputs(dependency.rdd()));
    };
  }

  private static List<Integer> inputs(RDD<?> rdd) {
    return Route.inputs(rdd).stream().map(ShuffleDependency::shuffleId).distinct().toList();
  }

  /** Each reading of a shuffle runs its writers, so what is read twice is counted twice. */
  private static final class Walk {
    private final IntFunction<Shuffle> graph;
    private final Map<Integer, Tasks> known = new HashMap<>();

    /** What has to run above, and how often leaves are read. */
    private record Tasks(long inner, long leafMaps, long leafReadings, boolean realTime) {
      Tasks plus(Tasks other) {
        return new Tasks(
            Math.min(MANY, inner + other.inner),
            Math.min(MANY, leafMaps + other.leafMaps),
            Math.min(MANY, leafReadings + other.leafReadings),
            realTime || other.realTime);
      }
    }

    private static final long MANY = 1L << 30;
    private static final Tasks NONE = new Tasks(0, 0, 0, false);

    Walk(IntFunction<Shuffle> graph) {
      this.graph = graph;
    }

    Tasks all(List<Integer> inputs) {
      return inputs.stream().map(this::visit).reduce(NONE, Tasks::plus);
    }

    private Tasks visit(int number) {
      Tasks tasks = known.get(number);
      if (tasks == null) {
        Shuffle shuffle = graph.apply(number);
        tasks = shuffle == null ? NONE : count(shuffle);
        known.put(number, tasks);
      }
      return tasks;
    }

    Tasks count(Shuffle shuffle) {
      if (shuffle.isLeaf(graph)) {
        return new Tasks(0, shuffle.maps(), 1, shuffle.realTime());
      }
      Tasks own = new Tasks(shuffle.maps(), 0, 0, shuffle.realTime());
      return shuffle.inputs() == null ? own : own.plus(all(shuffle.inputs()));
    }

    /** Only with a single leaf: in a join, one side's writers would hold the other's slots. */
    static Demand demand(int consumers, Tasks above) {
      boolean waves = above.leafReadings() == 1 && !above.realTime();
      long leaves = waves ? Math.min(1, above.leafMaps()) : above.leafMaps();
      return new Demand((int) Math.min(MANY, consumers + above.inner() + leaves), waves);
    }
  }
}

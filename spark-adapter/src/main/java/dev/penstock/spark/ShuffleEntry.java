package dev.penstock.spark;

import java.lang.ref.WeakReference;
import org.apache.spark.ShuffleDependency;

/**
 * A shuffle that is, or was, pipelined. The dependency is held weakly: Spark cleans a shuffle up
 * when its dependency is garbage.
 */
final class ShuffleEntry {
  private final int shuffle;
  private final int maps;
  private final int partitions;
  private final String queryId;
  private final boolean realTime;
  private final WeakReference<ShuffleDependency<?, ?, ?>> dependency;
  private final WeakReference<PenstockHandle<?, ?, ?>> handle;
  private int generations;
  private long[] checksums;
  private boolean told;
  private volatile boolean sort;

  ShuffleEntry(
      PenstockHandle<?, ?, ?> handle, int maps, int partitions, String queryId, boolean realTime) {
    this.shuffle = handle.shuffleId();
    this.maps = maps;
    this.partitions = partitions;
    this.queryId = queryId;
    this.realTime = realTime;
    this.dependency = new WeakReference<>(handle.dependency());
    this.handle = new WeakReference<>(handle);
  }

  int shuffle() {
    return shuffle;
  }

  int maps() {
    return maps;
  }

  int partitions() {
    return partitions;
  }

  String queryId() {
    return queryId;
  }

  boolean realTime() {
    return realTime;
  }

  /** Null once nobody can read the shuffle any more. */
  ShuffleDependency<?, ?, ?> dependency() {
    return dependency.get();
  }

  boolean isSort() {
    return sort;
  }

  /** From the next stage attempt on, tasks use the sort shuffle. */
  void toSort() {
    sort = true;
    PenstockHandle<?, ?, ?> known = handle.get();
    if (known != null) {
      known.toSort();
    }
  }

  /** True once: its tasks fail one after the other, for the same reason. */
  boolean tellOnce() {
    boolean first = !told;
    told = true;
    return first;
  }

  /** A generation is complete: from now on tasks may have ended with what it wrote. */
  void complete(Generation generation) {
    if (generation.isAllDone()) {
      checksums = generation.checksums();
    }
  }

  /** Of the outputs that ended tasks may have read, or null if there are none. */
  long[] checksums() {
    return checksums;
  }

  int nextGeneration() {
    return ++generations;
  }
}

package dev.penstock.spark;

import org.apache.spark.ShuffleDependency;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleHandle;

/**
 * What tasks know about a shuffle. It travels inside each stage attempt's task binary, so a changed
 * route reaches the next attempt and no task of an earlier one.
 */
final class PenstockHandle<K, V, C> extends BaseShuffleHandle<K, V, C> {
  private static final long serialVersionUID = 1L;

  private final ShuffleHandle sort;
  private final boolean realTime;
  private volatile boolean pipelined = true;

  PenstockHandle(
      int shuffle, ShuffleDependency<K, V, C> dependency, ShuffleHandle sort, boolean realTime) {
    super(shuffle, dependency);
    this.sort = sort;
    this.realTime = realTime;
  }

  /** Whether rows come from a source that moves on, so that no stage may be run again. */
  boolean realTime() {
    return realTime;
  }

  /** What Spark's own sort shuffle uses. */
  ShuffleHandle sort() {
    return sort;
  }

  boolean pipelined() {
    return pipelined;
  }

  void toSort() {
    pipelined = false;
  }
}

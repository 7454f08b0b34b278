package dev.penstock.spark;

import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/**
 * Spark's sort shuffle, with a way around it. It is a sort shuffle manager, so that Spark SQL does
 * not copy rows in fear of an unknown one, and everything that is not pipelined is untouched.
 * Installed by {@link PenstockPlugin}.
 */
public final class PenstockShuffleManager extends SortShuffleManager {
  private final boolean driver;

  /**
   * Called by Spark.
   *
   * @param conf the application's
   * @param isDriver whether this is the driver
   */
  public PenstockShuffleManager(SparkConf conf, boolean isDriver) {
    super(conf);
    this.driver = isDriver;
  }

  @Override
  public <K, V, C> ShuffleHandle registerShuffle(
      int shuffleId, ShuffleDependency<K, V, C> dependency) {
    ShuffleHandle sort = super.registerShuffle(shuffleId, dependency);
    DriverNode node = DriverNode.currentOrNull();
    return node == null ? sort : node.register(shuffleId, dependency, sort);
  }

  @Override
  public <K, V> ShuffleWriter<K, V> getWriter(
      ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
    if (handle instanceof PenstockHandle<?, ?, ?> ours) {
      GenerationKey generation = WriterTask.currentGeneration(handle.shuffleId());
      if (generation != null) {
        return new PipelinedWriter<>(
            ExecutorNode.current(),
            cast(ours),
            generation,
            ours.realTime(),
            mapId,
            context,
            metrics);
      }
      return super.getWriter(ours.sort(), mapId, context, metrics);
    }
    return super.getWriter(handle, mapId, context, metrics);
  }

  @Override
  public <K, C> ShuffleReader<K, C> getReader(
      ShuffleHandle handle,
      int startMapIndex,
      int endMapIndex,
      int startPartition,
      int endPartition,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    if (!(handle instanceof PenstockHandle<?, ?, ?> ours)) {
      return super.getReader(
          handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
    }
    if (!ours.pipelined()) {
      return super.getReader(
          ours.sort(), startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
    }
    boolean whole = startMapIndex == 0 && endMapIndex == Integer.MAX_VALUE;
    return new PipelinedReader<>(
        ExecutorNode.current(),
        cast(ours),
        ours.realTime(),
        startPartition,
        whole && endPartition == startPartition + 1,
        context,
        metrics);
  }

  @Override
  public boolean unregisterShuffle(int shuffleId) {
    DriverNode node = driver ? DriverNode.currentOrNull() : null;
    if (node != null) {
      node.unregister(shuffleId);
    }
    return super.unregisterShuffle(shuffleId);
  }

  @SuppressWarnings("unchecked")
  private static <K, V, C> ShuffleDependency<K, V, C> cast(PenstockHandle<?, ?, ?> handle) {
    return (ShuffleDependency<K, V, C>) handle.dependency();
  }
}

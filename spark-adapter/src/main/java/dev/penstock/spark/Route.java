package dev.penstock.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.spark.Dependency;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import scala.jdk.javaapi.CollectionConverters;

/** Whether a new shuffle is pipelined, decided from what is known when it is registered. */
final class Route {
  /** Set by Structured Streaming on the threads that plan and run a query's batches. */
  private static final String QUERY_ID = "sql.streaming.queryId";

  private Route() {}

  /** The reason why a shuffle goes to Spark's sort shuffle; null if it is pipelined. */
  static String whySort(
      SparkContext spark, Settings settings, ShuffleDependency<?, ?, ?> dependency) {
    Properties local = spark.getLocalProperties();
    String own = local.getProperty(Settings.MODE);
    Mode mode = own == null ? settings.mode() : Mode.parse(own);
    boolean streaming = isStreaming(local);
    if (mode == Mode.OFF) {
      return Settings.MODE + "=off";
    }
    if (mode == Mode.STREAMING && !streaming) {
      return Settings.MODE + "=streaming, and this is no streaming query";
    }
    if (isAdaptive()) {
      return "adaptive execution drives it (spark.sql.adaptive.enabled)";
    }
    RDD<?> rdd = dependency.rdd();
    if (rdd.isBarrier()) {
      return "its map stage is a barrier stage";
    }
    if (!streaming && spark.getConf().getBoolean("spark.speculation", false)) {
      return "speculation is on (spark.speculation)";
    }
    if (spark.getConf().getInt("spark.stage.maxConsecutiveAttempts", 4) < 2) {
      return "spark.stage.maxConsecutiveAttempts is 1, so there would be no second attempt";
    }
    return null;
  }

  static boolean isStreaming(Properties local) {
    return local.getProperty(QUERY_ID) != null;
  }

  static String queryId(Properties local) {
    return local.getProperty(QUERY_ID);
  }

  /** Adaptive execution wants sizes of map outputs before it plans on; there are none here. */
  private static boolean isAdaptive() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame -> frame.getMethodName().startsWith("mapOutputStatisticsFuture")));
  }

  /** The shuffles that a stage ending in this RDD reads. */
  static List<ShuffleDependency<?, ?, ?>> inputs(RDD<?> rdd) {
    List<ShuffleDependency<?, ?, ?>> found = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    Deque<RDD<?>> open = new ArrayDeque<>();
    open.add(rdd);
    while (!open.isEmpty()) {
      RDD<?> next = open.poll();
      if (!seen.add(next.id())) {
        continue;
      }
      for (Dependency<?> dependency : CollectionConverters.asJava(next.dependencies())) {
        if (dependency instanceof ShuffleDependency<?, ?, ?> shuffle) {
          found.add(shuffle);
        } else {
          open.add(dependency.rdd());
        }
      }
    }
    return found;
  }
}

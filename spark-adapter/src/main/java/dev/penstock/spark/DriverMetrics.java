package dev.penstock.spark;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import org.apache.spark.api.plugin.PluginContext;

/** The driver's counters, for Spark's metric system. */
final class DriverMetrics {
  private final Counter pipelined = new Counter();
  private final Counter sort = new Counter();
  private final Counter started = new Counter();
  private final Counter completed = new Counter();
  private final Counter failed = new Counter();
  private final Counter fellBack = new Counter();
  private final Counter requests = new Counter();

  void register(PluginContext context) {
    MetricRegistry registry = context.metricRegistry();
    registry.register("shufflesPipelined", pipelined);
    registry.register("shufflesSort", sort);
    registry.register("shufflesFellBack", fellBack);
    registry.register("generationsStarted", started);
    registry.register("generationsCompleted", completed);
    registry.register("generationsFailed", failed);
    registry.register("requests", requests);
  }

  void routed(boolean toPipeline) {
    (toPipeline ? pipelined : sort).inc();
  }

  /** An executor has asked something. */
  void requested() {
    requests.inc();
  }

  void started() {
    started.inc();
  }

  void completed() {
    completed.inc();
  }

  void failed() {
    failed.inc();
  }

  void fellBack() {
    fellBack.inc();
  }

  @Override
  public String toString() {
    return pipelined.getCount()
        + " shuffles pipelined, of which "
        + fellBack.getCount()
        + " fell back, "
        + sort.getCount()
        + " to the sort shuffle at once; generations: "
        + started.getCount()
        + " started, "
        + completed.getCount()
        + " complete, "
        + failed.getCount()
        + " failed";
  }

  long requests() {
    return requests.getCount();
  }

  long shufflesPipelined() {
    return pipelined.getCount();
  }

  long shufflesSort() {
    return sort.getCount();
  }

  long generationsCompleted() {
    return completed.getCount();
  }

  long shufflesFellBack() {
    return fellBack.getCount();
  }
}

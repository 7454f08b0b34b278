package dev.penstock.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Lets Spark shuffle through Penstock: {@code spark.plugins=dev.penstock.spark.PenstockPlugin}.
 * Everything else has defaults; see {@code docs/spark.md}.
 */
public final class PenstockPlugin implements SparkPlugin {
  /** Created by Spark. */
  public PenstockPlugin() {}

  @Override
  public DriverPlugin driverPlugin() {
    return new PenstockDriver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new PenstockExecutor();
  }
}

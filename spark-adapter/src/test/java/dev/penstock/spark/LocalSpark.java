package dev.penstock.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** A real Spark in this JVM, with the plugin, closed with everything that it started. */
final class LocalSpark implements AutoCloseable {
  private final SparkSession session;

  /** Two executors in JVMs of their own, started by Spark's own worker. */
  static LocalSpark cluster(int slotsEach, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.executor.extraClassPath", System.getProperty("java.class.path"));
    all.put("spark.executor.memory", "600m");
    all.put("spark.worker.cleanup.enabled", "false");
    return new LocalSpark("local-cluster[2," + slotsEach + ",700]", all);
  }

  LocalSpark(int slots, Map<String, String> settings) {
    this("local[" + slots + "]", settings);
  }

  LocalSpark(String master, Map<String, String> settings) {
    makeHome();
    SparkConf conf =
        new SparkConf(false)
            .setMaster(master)
            .setAppName("penstock-test")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "localhost")
            .set("spark.driver.bindAddress", "localhost")
            .set("spark.plugins", PenstockPlugin.class.getName())
            .set("spark.penstock.mode", "all")
            .set("spark.sql.adaptive.enabled", "false")
            .set("spark.sql.shuffle.partitions", "3")
            .set("spark.sql.warehouse.dir", "target/warehouse")
            .set("spark.default.parallelism", "3");
    settings.forEach(conf::set);
    session = SparkSession.builder().config(conf).getOrCreate();
  }

  /** Spark's worker wants an installation; all jars come by the class path. */
  private static void makeHome() {
    String home = System.getenv("SPARK_HOME");
    if (home != null) {
      try {
        Files.createDirectories(Path.of(home, "jars"));
        Path release = Path.of(home, "RELEASE");
        if (!Files.exists(release)) {
          Files.createFile(release);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  SparkSession sql() {
    return session;
  }

  JavaSparkContext rdds() {
    return new JavaSparkContext(session.sparkContext());
  }

  void waitForListeners() {
    try {
      session.sparkContext().listenerBus().waitUntilEmpty();
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Until no job is active; for so long that a job which is still there then has been left. */
  void waitForJobs() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (rdds().statusTracker().getActiveJobIds().length > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("a job was left behind");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  Figures figures() {
    DriverMetrics metrics = DriverNode.currentOrNull().metrics();
    return new Figures(
        metrics.shufflesPipelined(), metrics.generationsCompleted(), metrics.shufflesFellBack());
  }

  @Override
  public void close() {
    session.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }
}

package dev.penstock.spark.bundle;

import static org.apache.spark.sql.functions.col;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import scala.Tuple2;

/**
 * An application that knows nothing of Penstock: a batch job over RDDs, and a stateful streaming
 * query. It checks its results and says who loaded the plugin where.
 */
public final class Submitted {
  private static final String PLUGIN = "dev.penstock.spark.PenstockPlugin";

  private Submitted() {}

  /**
   * Runs it.
   *
   * @param arguments a directory for the query's checkpoint
   * @throws Exception whatever goes wrong
   */
  public static void main(String[] arguments) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("submitted").getOrCreate()) {
      JavaSparkContext rdds = new JavaSparkContext(spark.sparkContext());
      Set<String> places = new TreeSet<>();
      places.add("driver=" + loader());
      sum(rdds, places);
      stream(spark, arguments[0]);
      System.out.println("SUBMITTED " + places);
    }
  }

  private static void sum(JavaSparkContext rdds, Set<String> places) {
    List<Integer> numbers = IntStream.range(0, 10_000).boxed().toList();
    List<Tuple2<Long, String>> parts =
        rdds.parallelize(numbers, 2)
            .mapToPair(n -> new Tuple2<>(n % 97, n))
            .reduceByKey(Integer::sum, 2)
            .mapPartitions(
                it -> {
                  long sum = 0;
                  while (it.hasNext()) {
                    sum += it.next()._2();
                  }
                  String here = TaskContext.get().taskMetrics() == null ? "" : loader();
                  return List.of(new Tuple2<>(sum, "executor=" + here)).iterator();
                })
            .collect();
    long sum = 0;
    for (Tuple2<Long, String> part : parts) {
      sum += part._1();
      places.add(part._2());
    }
    check(sum == 10_000L * 9_999 / 2, "the sum is " + sum);
  }

  private static void stream(SparkSession spark, String checkpoint) throws Exception {
    StreamingQuery query =
        spark
            .readStream()
            .format("rate-micro-batch")
            .option("rowsPerBatch", 500)
            .option("numPartitions", 2)
            .load()
            .groupBy(col("value").mod(7))
            .count()
            .writeStream()
            .format("memory")
            .queryName("counts")
            .outputMode("complete")
            .option("checkpointLocation", checkpoint)
            .trigger(Trigger.ProcessingTime(0))
            .start();
    List<Long> batches = new ArrayList<>();
    while (batches.size() < 2) {
      check(query.isActive(), "the query ended: " + query.exception());
      batches.clear();
      for (var progress : query.recentProgress()) {
        if (progress.numInputRows() > 0) {
          batches.add(progress.numInputRows());
        }
      }
      query.awaitTermination(100);
    }
    query.stop();
    long counted = spark.sql("select sum(count) from counts").first().getLong(0);
    check(counted >= 1_000 && counted % 500 == 0, "the query has counted " + counted);
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException(what);
    }
  }

  /** The class of the loader that has the plugin. */
  private static String loader() {
    try {
      return Class.forName(PLUGIN, false, Thread.currentThread().getContextClassLoader())
          .getClassLoader()
          .getClass()
          .getSimpleName();
    } catch (ClassNotFoundException e) {
      return "none";
    }
  }
}

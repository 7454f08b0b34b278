package dev.penstock.spark;

import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.spark.FutureAction;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import scala.collection.immutable.Seq;
import scala.concurrent.ExecutionContext;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/** Runs the map side of a shuffle as a job of its own. */
final class WritersJob {
  /** Tells from a job's properties whose writers it runs. */
  static final String GENERATION = "penstock.generation";

  private WritersJob() {}

  /**
   * Submits the job from the calling thread, with the consumer's properties: whoever cancels the
   * consumer's group, tags or query cancels this, too.
   *
   * @param onEnd called on {@code executor} with the failure, or null
   */
  static FutureAction<?> submit(
      SparkContext spark,
      Generation generation,
      ShuffleDependency<?, ?, ?> dependency,
      Executor executor,
      Consumer<Throwable> onEnd) {
    ShuffleEntry entry = generation.entry();
    Properties properties = new Properties();
    properties.putAll(generation.consumer().properties());
    String what =
        "Penstock: writers of shuffle "
            + entry.shuffle()
            + " for stage "
            + generation.consumer().key().stage();
    properties.setProperty(GENERATION, generation.key().toString());
    properties.setProperty("spark.job.description", what);
    properties.setProperty("callSite.short", what);
    spark.setLocalProperties(properties);
    try {
      @SuppressWarnings("unchecked")
      RDD<Object> rdd = new WritersRdd((RDD<Object>) (RDD<?>) dependency.rdd(), generation.key());
      WriterTask task = new WriterTask(dependency, generation.key());
      FutureAction<Boolean> action =
          spark.submitJob(rdd, task, range(entry.maps()), new Ignore(), new Done());
      action.onComplete(
          new AbstractFunction1<Try<Boolean>, Object>() {
            @Override
            public Object apply(Try<Boolean> result) {
              onEnd.accept(result.isFailure() ? result.failed().get() : null);
              return null;
            }
          },
          ExecutionContext.fromExecutor(executor));
      return action;
    } finally {
      spark.setLocalProperties(new Properties());
    }
  }

  private static Seq<Object> range(int maps) {
    java.util.List<Object> all = new java.util.ArrayList<>(maps);
    for (int map = 0; map < maps; map++) {
      all.add(map);
    }
    return CollectionConverters.asScala(all).toSeq();
  }

  /** The rows have gone elsewhere. */
  private static final class Ignore extends AbstractFunction2<Object, Object, BoxedUnit> {
    @Override
    public BoxedUnit apply(Object index, Object result) {
      return BoxedUnit.UNIT;
    }
  }

  private static final class Done extends AbstractFunction0<Boolean> {
    @Override
    public Boolean apply() {
      return true;
    }
  }
}

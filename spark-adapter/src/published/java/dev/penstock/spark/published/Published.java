package dev.penstock.spark.published;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.scalatest.Args;
import org.scalatest.DynaTags;
import org.scalatest.Filter;
import org.scalatest.Reporter;
import org.scalatest.Suite;
import org.scalatest.events.Event;
import org.scalatest.events.SuiteAborted;
import org.scalatest.events.TestCanceled;
import org.scalatest.events.TestFailed;
import org.scalatest.events.TestStarting;
import org.scalatest.events.TestSucceeded;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Set$;
import scala.jdk.javaapi.CollectionConverters;

/** Runs one of Spark's suites and tells test by test what came of it. */
final class Published {
  private static final String CHOSEN = "penstock.chosen";

  /**
   * One test's end.
   *
   * @param failure null if it succeeded
   * @param millis how long it took
   */
  record Result(String test, Throwable failure, RoutingLog.Routes routes, long millis) {}

  private Published() {}

  /** The names of its tests, as Spark gives them. */
  static List<String> names(Suite suite) {
    return new ArrayList<>(CollectionConverters.asJava(suite.testNames()));
  }

  /** Runs the chosen ones, in the suite's order. */
  static List<Result> run(Suite suite, Set<String> chosen, RoutingLog log) {
    Collector collector = new Collector(log);
    var status =
        suite.run(
            Option.empty(),
            new Args(
                collector,
                Args.apply$default$2(),
                filter(suite, chosen),
                Args.apply$default$4(),
                Args.apply$default$5(),
                Args.apply$default$6(),
                Args.apply$default$7(),
                Args.apply$default$8(),
                Args.apply$default$9(),
                Args.apply$default$10()));
    status.waitUntilCompleted();
    if (collector.aborted != null) {
      throw new IllegalStateException(suite.suiteName() + " was aborted", collector.aborted);
    }
    return collector.results;
  }

  private static Filter filter(Suite suite, Set<String> chosen) {
    Map<String, scala.collection.immutable.Set<String>> tags = new HashMap<>();
    for (String test : chosen) {
      tags.put(test, set(CHOSEN));
    }
    return new Filter(
        Option.apply(set(CHOSEN)),
        Filter.apply$default$2(),
        false,
        new DynaTags(map(Map.of()), map(Map.of(suite.suiteId(), map(tags)))));
  }

  private static scala.collection.immutable.Set<String> set(String one) {
    return Set$.MODULE$.from(CollectionConverters.asScala(List.of(one)));
  }

  private static <V> scala.collection.immutable.Map<String, V> map(Map<String, V> from) {
    return Map$.MODULE$.from(CollectionConverters.asScala(from));
  }

  /** Hears of each test as it runs; on the thread that runs the suite. */
  private static final class Collector implements Reporter {
    private final RoutingLog log;
    private final List<Result> results = new ArrayList<>();
    private long startNanos;
    private Throwable aborted;

    Collector(RoutingLog log) {
      this.log = log;
    }

    @Override
    public void apply(Event event) {
      if (event instanceof TestStarting) {
        var unused = log.take();
        startNanos = System.nanoTime();
      } else if (event instanceof TestSucceeded succeeded) {
        add(succeeded.testName(), null);
      } else if (event instanceof TestFailed failed) {
        add(failed.testName(), cause(failed.throwable(), failed.message()));
      } else if (event instanceof TestCanceled canceled) {
        add(canceled.testName(), cause(canceled.throwable(), "canceled: " + canceled.message()));
      } else if (event instanceof SuiteAborted suite) {
        aborted = cause(suite.throwable(), suite.message());
      }
    }

    private void add(String test, Throwable failure) {
      long millis = (System.nanoTime() - startNanos) / 1_000_000;
      Result result = new Result(test, failure, log.take(), millis);
      results.add(result);
      System.out.println(
          (failure == null ? "  ok   " : "  FAIL ")
              + test
              + " ["
              + millis
              + " ms]: "
              + result.routes());
    }

    private static Throwable cause(Option<Throwable> thrown, String message) {
      return thrown.isDefined() ? thrown.get() : new IllegalStateException(message);
    }
  }
}

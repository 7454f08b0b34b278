package dev.penstock.spark.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.scalatest.Suite;

/** Each test of Spark's suites is one test here; what may not be run is in a table. */
@Tag("spark-published")
class PublishedSuitesTest {
  private static final boolean BOUNDED =
      System.getProperty("penstock.published", "all").equals("bounded");

  /** For people who look into one: tests whose names contain this. */
  private static final String ONLY = System.getProperty("penstock.published.only", "");

  /** Spark's worker wants an installation; all jars come by the class path. */
  @BeforeAll
  static void makeHome() throws IOException {
    Path home = Path.of(System.getProperty("spark.test.home"));
    Files.createDirectories(home.resolve("jars"));
    if (!Files.exists(home.resolve("RELEASE"))) {
      Files.createFile(home.resolve("RELEASE"));
    }
  }

  @Test
  void shouldRunEverySuiteThatTheTableNames() {
    assertThat(Rules.suites())
        .containsExactlyInAnyOrder(
            "ShuffleSuite",
            "StreamingAggregationSuite",
            "StreamingDeduplicationSuite",
            "StreamRealTimeModeSuite");
  }

  @TestFactory
  List<DynamicTest> shouldPassTheShuffleSuiteOnItsOwnMasters() {
    return run("ShuffleSuite", Masters.OWN, new PenstockShuffleSuite.Own());
  }

  @TestFactory
  List<DynamicTest> shouldPassTheShuffleSuiteWithSlotsEnough() {
    return run("ShuffleSuite", Masters.WIDE, new PenstockShuffleSuite.Wide());
  }

  @TestFactory
  List<DynamicTest> shouldPassTheAggregationSuiteWithSlotsEnough() {
    return run(
        "StreamingAggregationSuite", Masters.WIDE, new PenstockAggregationSuite(Masters.WIDE));
  }

  @TestFactory
  List<DynamicTest> shouldPassTheAggregationSuiteOnItsOwnMasters() {
    return run("StreamingAggregationSuite", Masters.OWN, new PenstockAggregationSuite(Masters.OWN));
  }

  @TestFactory
  List<DynamicTest> shouldPassTheDeduplicationSuiteWithSlotsEnough() {
    return run(
        "StreamingDeduplicationSuite", Masters.WIDE, new PenstockDeduplicationSuite(Masters.WIDE));
  }

  @TestFactory
  List<DynamicTest> shouldPassTheDeduplicationSuiteOnItsOwnMasters() {
    return run(
        "StreamingDeduplicationSuite", Masters.OWN, new PenstockDeduplicationSuite(Masters.OWN));
  }

  @TestFactory
  List<DynamicTest> shouldPassTheRealTimeSuiteWithSlotsEnough() {
    return run("StreamRealTimeModeSuite", Masters.WIDE, new PenstockRealTimeSuite(Masters.WIDE));
  }

  @TestFactory
  List<DynamicTest> shouldPassTheRealTimeSuiteOnItsOwnMasters() {
    return run("StreamRealTimeModeSuite", Masters.OWN, new PenstockRealTimeSuite(Masters.OWN));
  }

  private static List<DynamicTest> run(String name, Masters masters, Suite suite) {
    String title = name + " on " + masters.title();
    System.out.println(title + ":");
    List<String> tests = Published.names(suite);
    Rules rules = Rules.of(name, masters);
    Set<String> chosen = choose(tests, rules);
    if (chosen.isEmpty()) {
      System.out.println("  nothing chosen");
    }
    assumeFalse(chosen.isEmpty(), title + ": nothing of it is chosen");
    List<DynamicTest> nodes = new ArrayList<>();
    Set<String> ran = new LinkedHashSet<>();
    RoutingLog.Routes sum = new RoutingLog.Routes();
    try (RoutingLog log = RoutingLog.install()) {
      for (Published.Result result : Published.run(suite, chosen, log)) {
        sum.add(result.routes());
        ran.add(result.test());
        nodes.add(
            DynamicTest.dynamicTest(title + ": " + result.test(), () -> check(result, rules)));
      }
    }
    System.out.println("PUBLISHED " + title + ": " + nodes.size() + " tests, " + sum);
    nodes.add(
        DynamicTest.dynamicTest(
            title + " has the tests that the table names, and all others were run",
            () -> {
              assertThat(rules.unknown(tests)).isEmpty();
              assertThat(ran).isEqualTo(chosen);
            }));
    return nodes;
  }

  private static Set<String> choose(List<String> tests, Rules rules) {
    Set<String> chosen = new LinkedHashSet<>();
    for (String test : tests) {
      String reason = rules.reason(Rules.Kind.EXCLUDED, test);
      if (reason != null) {
        System.out.println("  left out: " + test + ": " + reason);
      } else if (test.contains(ONLY)
          && (!BOUNDED || rules.reason(Rules.Kind.BOUNDED, test) != null)) {
        chosen.add(test);
      }
    }
    return chosen;
  }

  private static void check(Published.Result result, Rules rules) throws Throwable {
    if (result.failure() != null) {
      throw result.failure();
    }
    if (rules.reason(Rules.Kind.ANY, result.test()) != null) {
      return;
    }
    String small = rules.reason(Rules.Kind.SMALL, result.test());
    if (small == null) {
      assertThat(result.routes().complete())
          .as("generations that were read to their end, of %s", result.routes())
          .isPositive();
    } else {
      assertThat(result.routes().complete())
          .as("the table says that nothing is pipelined here: %s; but %s", small, result.routes())
          .isZero();
    }
  }
}

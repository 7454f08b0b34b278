package dev.penstock.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.penstock.benchmarks.Workload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateTest {
  private static final Path GOALS = Path.of("goals.json");
  private static final double TOLERANCE = 0.15;

  @TempDir Path folder;

  @Test
  void shouldPassWhatReachesItsGoalAndMissWhatDoesNot() {
    Goal goal = goal("raw-socket", Goal.Bound.AT_LEAST, 0.9, null);

    assertPassed(Gate.Kind.GOALS, goal, row("penstock", 1800, 0.9));
    assertMissed("0.89, wanted at least 0.90", Gate.Kind.GOALS, goal, row("penstock", 1800, 0.89));
  }

  @Test
  void shouldMissARatioBelowTheCommittedOneLessTheTolerance() {
    Goal goal = goal("raw-socket", Goal.Bound.AT_LEAST, 0.9, 0.8);

    assertPassed(Gate.Kind.COMMITTED, goal, row("penstock", 1800, 0.69));
    assertMissed(
        "0.67, wanted at least 0.68", Gate.Kind.COMMITTED, goal, row("penstock", 1800, 0.67));
  }

  @Test
  void shouldMissAFigureAboveWhatIsAllowed() {
    Goal goal = goal(null, Goal.Bound.AT_MOST, 20, 100.0);

    assertMissed("wanted at most 20.00", Gate.Kind.GOALS, goal, row("penstock", 20.5, null));
    assertPassed(Gate.Kind.COMMITTED, goal, row("penstock", 114, null));
    assertMissed("wanted at most 115", Gate.Kind.COMMITTED, goal, row("penstock", 116, null));
  }

  @Test
  void shouldCompareWithAPeerThroughTheAnchorsBesideBoth() {
    Goal goal = goal("spark", Goal.Bound.AT_LEAST, 1.6, null);

    // Faster in absolute terms, but the machine was faster by then, too.
    assertMissed(
        "1.50", Gate.Kind.GOALS, goal, row("penstock", 3000, 0.9), row("spark", 1000, 0.6));
    assertPassed(Gate.Kind.GOALS, goal, row("penstock", 1000, 0.9), row("spark", 1000, 0.5));
  }

  @Test
  void shouldMissWhatWasNotMeasuredOrNotInOneRun() {
    Goal goal = goal("spark", Goal.Bound.AT_LEAST, 1.0, null);
    Row ofAnotherRun = row("spark", 1000, 0.5, "another command");

    assertMissed("not measured", Gate.Kind.GOALS, goal);
    assertMissed("not measured", Gate.Kind.GOALS, goal, row("penstock", 1000, 0.9));
    assertMissed(
        "not measured in one run", Gate.Kind.GOALS, goal, row("penstock", 1000, 0.9), ofAnotherRun);
  }

  @Test
  void shouldAcceptRangesThatOverlapOnlyWhereTheGoalSaysSo() {
    Goal strict = goal("netty-epoll", Goal.Bound.AT_MOST, 1.0, null);
    Goal spread =
        new Goal(
            "W1",
            "1x1",
            "penstock",
            "throughput",
            "netty-epoll",
            null,
            Goal.Bound.AT_MOST,
            1.0,
            true,
            null);
    Row[] rows = {row("penstock", 100, 1.2), row("netty-epoll", 95, 1.0)};
    Row[] apart = {row("penstock", 100, 1.2), row("netty-epoll", 50, 1.0)};

    assertMissed("1.20", Gate.Kind.GOALS, strict, rows);
    assertPassed(Gate.Kind.GOALS, spread, rows);
    assertMissed("1.20", Gate.Kind.GOALS, spread, apart);
  }

  @Test
  void shouldKnowEachWorkloadSystemAndMetricThatTheGoalsName() throws IOException {
    List<Goal> goals = Gate.read(GOALS);

    assertFalse(goals.isEmpty());
    for (Goal goal : goals) {
      Workload workload = Workload.named(goal.workload() + "/" + goal.caseName());
      assertTrue(Catalogue.system(goal.system()).takes().test(workload), goal.title());
      assertTrue(
          List.of(Metric.values()).stream()
              .anyMatch(metric -> metric.label().equals(goal.metric())),
          goal.title());
      if (goal.versus() != null && !goal.versus().equals(Catalogue.ANCHOR)) {
        String other = goal.versusCase() == null ? goal.caseName() : goal.versusCase();
        Workload beside = Workload.named(goal.workload() + "/" + other);
        assertTrue(Catalogue.system(goal.versus()).takes().test(beside), goal.title());
      }
      assertTrue(goal.bound() != null && goal.goal() > 0, goal.title());
    }
  }

  @Test
  void shouldFailTheBuildWhenAGoalIsMissedAndSayWhich() throws IOException {
    Path goals = folder.resolve("goals.json");
    Files.writeString(
        goals,
        "[{\"workload\": \"W1\", \"case\": \"1x1\", \"system\": \"penstock\","
            + " \"metric\": \"throughput\", \"versus\": \"raw-socket\", \"bound\": \"at_least\","
            + " \"goal\": 0.9, \"committed\": 0.8}]");
    Results.write(folder.resolve("latest.json"), List.of(row("penstock", 1000, 0.75)));

    assertFalse(check(goals, "true").contains(" 0 of 1 missed"));
    assertTrue(check(goals, "true").contains("MISSED W1 1x1 penstock, throughput"));
    assertTrue(check(goals, "true").startsWith("false"));
    assertTrue(check(goals, "committed").startsWith("true"), "within the tolerance");
    assertThrows(IllegalArgumentException.class, () -> options(goals, "maybe"));
  }

  private String check(Path goals, String kind) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean good;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      good = Runner.check(options(goals, kind), out);
    }
    return good + "\n" + bytes.toString(StandardCharsets.UTF_8);
  }

  private RunnerOptions options(Path goals, String kind) {
    return RunnerOptions.parse(
        new String[] {
          "--profile=full",
          "--check=" + kind,
          "--results=" + folder,
          "--goals=" + goals,
          "--tolerance="
        });
  }

  private static Goal goal(String versus, Goal.Bound bound, double goal, Double committed) {
    return new Goal(
        "W1", "1x1", "penstock", "throughput", versus, null, bound, goal, false, committed);
  }

  private static void assertPassed(Gate.Kind kind, Goal goal, Row... rows) {
    Gate.Verdict verdict = only(kind, goal, rows);
    assertTrue(verdict.passed(), verdict.text());
  }

  private static void assertMissed(String text, Gate.Kind kind, Goal goal, Row... rows) {
    Gate.Verdict verdict = only(kind, goal, rows);
    assertFalse(verdict.passed(), verdict.text());
    assertTrue(verdict.text().contains(text), verdict.text());
  }

  private static Gate.Verdict only(Gate.Kind kind, Goal goal, Row... rows) {
    List<Gate.Verdict> verdicts = new Gate(List.of(rows), kind, TOLERANCE).verdicts(List.of(goal));
    assertEquals(1, verdicts.size());
    return verdicts.get(0);
  }

  private static Row row(String system, double median, Double ratioToAnchor) {
    return row(system, median, ratioToAnchor, "one command");
  }

  private static Row row(String system, double median, Double ratioToAnchor, String command) {
    return new Row(
        "W1",
        "1x1",
        system,
        "1",
        "throughput",
        "MB/s",
        median,
        median * 0.9,
        median * 1.1,
        "raw-socket",
        ratioToAnchor,
        ratioToAnchor,
        5,
        "17",
        "machine",
        command);
  }
}

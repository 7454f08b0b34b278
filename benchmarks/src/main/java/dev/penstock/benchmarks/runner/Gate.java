package dev.penstock.benchmarks.runner;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares results with goals, or with the ratios that were committed. Only ratios of figures that
 * were measured in one run count: absolute ones say more of the machine than of the system.
 */
final class Gate {
  private static final TypeToken<List<Goal>> GOALS = new TypeToken<>() {};

  /** What figures are compared with. */
  enum Kind {
    /** With the goals, without any tolerance. */
    GOALS,
    /** With what was committed, less a tolerance. */
    COMMITTED
  }

  /**
   * One comparison.
   *
   * @param text a line for a reader
   * @param passed whether the limit was kept
   */
  record Verdict(String text, boolean passed) {}

  private final List<Row> rows;
  private final Kind kind;
  private final double tolerance;

  Gate(List<Row> rows, Kind kind, double tolerance) {
    this.rows = List.copyOf(rows);
    this.kind = kind;
    this.tolerance = tolerance;
  }

  static List<Goal> read(Path file) throws IOException {
    return new Gson().fromJson(Files.readString(file), GOALS);
  }

  /** A verdict for each goal; goals without a committed ratio are left out where that counts. */
  List<Verdict> verdicts(List<Goal> goals) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Goal goal : goals) {
      if (kind == Kind.GOALS || goal.committed() != null) {
        verdicts.add(verdict(goal));
      }
    }
    return verdicts;
  }

  private Verdict verdict(Goal goal) {
    double limit =
        kind == Kind.GOALS ? goal.goal() : goal.bound().loosened(goal.committed(), tolerance);
    String wanted = goal.bound().words() + " " + number(limit);
    OptionalDouble ratio = ratio(goal);
    if (ratio.isEmpty()) {
      return new Verdict(
          "MISSED " + goal.title() + ": not measured in one run, wanted " + wanted, false);
    }
    boolean same = kind == Kind.GOALS && goal.spreads() && overlap(goal);
    boolean passed = same || goal.bound().keeps(ratio.getAsDouble(), limit);
    return new Verdict(
        (passed ? "ok     " : "MISSED ")
            + goal.title()
            + ": "
            + number(ratio.getAsDouble())
            + ", wanted "
            + wanted
            + (same ? " or ranges that overlap, which they do" : ""),
        passed);
  }

  private OptionalDouble ratio(Goal goal) {
    Optional<Row> row = row(goal, goal.caseName(), goal.system());
    if (row.isEmpty()) {
      return OptionalDouble.empty();
    }
    if (goal.versus() == null) {
      return OptionalDouble.of(row.get().median());
    }
    if (goal.versus().equals(Catalogue.ANCHOR) && goal.versusCase() == null) {
      return optional(row.get().ratioToAnchor());
    }
    Optional<Row> other = other(goal).filter(found -> ofOneRun(found, row.get()));
    if (other.isEmpty()
        || row.get().ratioToAnchor() == null
        || other.get().ratioToAnchor() == null) {
      return OptionalDouble.empty();
    }
    // Both beside the anchor that ran next to them: what drifts falls out.
    return OptionalDouble.of(row.get().ratioToAnchor() / other.get().ratioToAnchor());
  }

  private boolean overlap(Goal goal) {
    Row row = row(goal, goal.caseName(), goal.system()).orElseThrow();
    return other(goal)
        .map(found -> row.min() <= found.max() && found.min() <= row.max())
        .orElse(false);
  }

  private Optional<Row> other(Goal goal) {
    String caseName = goal.versusCase() == null ? goal.caseName() : goal.versusCase();
    return row(goal, caseName, goal.versus());
  }

  private Optional<Row> row(Goal goal, String caseName, String system) {
    return rows.stream()
        .filter(row -> row.workload().equals(goal.workload()) && row.caseName().equals(caseName))
        .filter(row -> row.system().equals(system) && row.metric().equals(goal.metric()))
        .findFirst();
  }

  private static boolean ofOneRun(Row one, Row other) {
    return one.command().equals(other.command())
        && one.machine().equals(other.machine())
        && one.java().equals(other.java());
  }

  private static OptionalDouble optional(Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}

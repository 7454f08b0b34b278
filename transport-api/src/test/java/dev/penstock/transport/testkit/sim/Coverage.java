package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often each row of the state tables, each error code and each rule was exercised. */
public final class Coverage {
  private final Map<Row, Long> rows = new EnumMap<>(Row.class);
  private final Map<Rule, Long> rules = new EnumMap<>(Rule.class);
  private final Map<ErrorCode, Long> codes = new EnumMap<>(ErrorCode.class);

  /** Creates zeros. */
  public Coverage() {}

  void hit(Row row) {
    rows.merge(row, 1L, Long::sum);
  }

  void hit(Rule rule) {
    rules.merge(rule, 1L, Long::sum);
  }

  void hit(ErrorCode code) {
    codes.merge(code, 1L, Long::sum);
  }

  /**
   * Adds another run.
   *
   * @param other its counts
   */
  public void add(Coverage other) {
    other.rows.forEach((row, count) -> rows.merge(row, count, Long::sum));
    other.rules.forEach((rule, count) -> rules.merge(rule, count, Long::sum));
    other.codes.forEach((code, count) -> codes.merge(code, count, Long::sum));
  }

  /**
   * What was never exercised.
   *
   * @return names of rows, rules and codes; empty when all were
   */
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (Row row : Row.values()) {
      if (!rows.containsKey(row)) {
        missing.add(row.name());
      }
    }
    for (Rule rule : Rule.values()) {
      if (!rules.containsKey(rule)) {
        missing.add(rule.name());
      }
    }
    for (ErrorCode code : ErrorCode.values()) {
      // The simulator has no addresses.
      if (!codes.containsKey(code) && code != ErrorCode.ADDRESS_UNAVAILABLE) {
        missing.add(code.name());
      }
    }
    return missing;
  }

  /**
   * All counts.
   *
   * @return lines for people
   */
  public String table() {
    StringBuilder table = new StringBuilder();
    section(table, "state tables", List.of(Row.values()), rows);
    section(table, "rules", List.of(Rule.values()), rules);
    section(table, "error codes", List.of(ErrorCode.values()), codes);
    return table.toString();
  }

  private static <E extends Enum<E>> void section(
      StringBuilder table, String title, Collection<E> all, Map<E, Long> counts) {
    table.append(title).append(System.lineSeparator());
    for (E one : all) {
      table.append(String.format("  %-36s %12d%n", one.name(), counts.getOrDefault(one, 0L)));
    }
  }
}

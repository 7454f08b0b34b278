package dev.penstock.spark.published;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What is said about single tests in {@code published-suites.tsv}, which explains its columns. */
final class Rules {
  private static final String ALL = "*";

  enum Kind {
    /** Not run. */
    EXCLUDED,
    /** Run, and no shuffle of it is pipelined. */
    SMALL,
    /** Run, and pipelined or not, as it fits. */
    ANY,
    /** Among those that the bounded run takes. */
    BOUNDED
  }

  record Rule(String suite, Masters masters, Kind kind, String test, String reason) {}

  private final List<Rule> rules;

  private Rules(List<Rule> rules) {
    this.rules = rules;
  }

  static Rules of(String suite, Masters masters) {
    List<Rule> mine = new ArrayList<>();
    for (Rule rule : read()) {
      if (rule.suite().equals(suite) && rule.masters() == masters) {
        mine.add(rule);
      }
    }
    return new Rules(mine);
  }

  /** All suites that the file speaks of. */
  static Set<String> suites() {
    Set<String> suites = new TreeSet<>();
    read().forEach(rule -> suites.add(rule.suite()));
    return suites;
  }

  private static List<Rule> read() {
    try (InputStream in = Rules.class.getResourceAsStream("/published-suites.tsv")) {
      List<Rule> all = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        String[] cells = line.split("\t", -1);
        if (cells.length != 5 || cells[4].isBlank()) {
          throw new IllegalStateException("suite, masters, kind, test, reason expected: " + line);
        }
        all.add(
            new Rule(
                cells[0],
                Masters.valueOf(cells[1].toUpperCase(Locale.ROOT)),
                Kind.valueOf(cells[2].toUpperCase(Locale.ROOT)),
                cells[3],
                cells[4]));
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The reason of that kind given for this test, or null. */
  String reason(Kind kind, String test) {
    for (Rule rule : rules) {
      if (rule.kind() == kind && (rule.test().equals(test) || rule.test().equals(ALL))) {
        return rule.reason();
      }
    }
    return null;
  }

  /** Names in the file that the suite does not have. */
  Set<String> unknown(List<String> tests) {
    Set<String> unknown = new TreeSet<>();
    for (Rule rule : rules) {
      if (!rule.test().equals(ALL) && !tests.contains(rule.test())) {
        unknown.add(rule.test());
      }
    }
    return unknown;
  }
}

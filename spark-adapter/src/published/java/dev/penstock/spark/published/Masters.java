package dev.penstock.spark.published;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The masters that a suite runs on: its own, or the same with slots enough to pipeline. */
enum Masters {
  OWN {
    @Override
    String master(String asked) {
      return asked;
    }
  },

  /** Sixteen slots in one JVM, or eight in each executor of a local cluster. */
  WIDE {
    @Override
    String master(String asked) {
      Matcher local = LOCAL.matcher(asked);
      if (local.matches()) {
        String failures = local.group(1);
        return failures == null ? "local[16]" : "local[16," + failures + "]";
      }
      Matcher cluster = CLUSTER.matcher(asked);
      if (cluster.matches()) {
        return "local-cluster[" + cluster.group(1) + ",8," + cluster.group(2) + "]";
      }
      return asked;
    }
  };

  private static final Pattern LOCAL =
      Pattern.compile("local(?:\\[\\s*[0-9*]+\\s*(?:,\\s*([0-9]+)\\s*)?\\])?");
  private static final Pattern CLUSTER =
      Pattern.compile("local-cluster\\[\\s*([0-9]+)\\s*,\\s*[0-9]+\\s*,\\s*([0-9]+)\\s*\\]");

  /** What a suite gets that asks for this one. */
  abstract String master(String asked);

  /** For people. */
  String title() {
    return this == OWN ? "its own masters" : "masters with slots enough";
  }
}

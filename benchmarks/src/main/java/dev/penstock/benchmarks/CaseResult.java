package dev.penstock.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What one case measured.
 *
 * @param version of the measured library
 * @param metrics values by name, in the order in which they are shown
 */
record CaseResult(String version, Map<String, Double> metrics) {
  /** The metric that tells how many records the others rest on. */
  static final String RECORDS = "records";

  CaseResult {
    metrics = new LinkedHashMap<>(metrics);
  }

  /** This result, unless nothing was measured. */
  CaseResult orFail() {
    if (metrics.get(RECORDS) == 0) {
      throw new IllegalStateException("no record arrived while measuring");
    }
    return this;
  }

  /** One line; written by hand because a case carries no library but the measured one. */
  String toJson() {
    StringBuilder out = new StringBuilder("{\"version\":\"").append(escape(version)).append("\"");
    out.append(",\"java\":\"")
        .append(escape(Runtime.version().toString()))
        .append("\",\"metrics\":{");
    String separator = "";
    for (Map.Entry<String, Double> metric : metrics.entrySet()) {
      out.append(separator).append('"').append(escape(metric.getKey())).append("\":");
      out.append(String.format(Locale.ROOT, "%.4f", metric.getValue()));
      separator = ",";
    }
    return out.append("}}").toString();
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}

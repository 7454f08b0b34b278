package dev.penstock.benchmarks;

import java.util.Map;
import java.util.TreeMap;

/** Named settings of a system, given on the command line as {@code name=value,name=value}. */
public record Parameters(Map<String, String> values) {

  public Parameters {
    values = Map.copyOf(values);
  }

  /** Reads {@code name=value,name=value}; an empty text gives no settings. */
  public static Parameters parse(String text) {
    Map<String, String> values = new TreeMap<>();
    for (String part : text.split(",", -1)) {
      if (part.isBlank()) {
        continue;
      }
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("expected name=value, got '" + part + "'");
      }
      values.put(part.substring(0, equals).trim(), part.substring(equals + 1).trim());
    }
    return new Parameters(values);
  }

  /** The value of a setting, or {@code fallback} where it is not given. */
  public String get(String name, String fallback) {
    return values.getOrDefault(name, fallback);
  }

  /** The value of a whole-number setting, or {@code fallback} where it is not given. */
  public int getInt(String name, int fallback) {
    String value = values.get(name);
    return value == null ? fallback : Integer.parseInt(value);
  }

  /** The form that {@link #parse} reads, sorted by name. */
  public String text() {
    StringBuilder out = new StringBuilder();
    new TreeMap<>(values)
        .forEach(
            (name, value) -> out.append(out.length() == 0 ? "" : ",").append(name + "=" + value));
    return out.toString();
  }
}

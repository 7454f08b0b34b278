package dev.penstock.transport;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Checks of options; every message names the option, the range and the value. */
final class Check {
  private Check() {}

  static void range(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          option + ": expected " + min + " to " + max + ", got " + value);
    }
  }

  static void duration(String option, Duration value, Duration min, Duration max) {
    notNull(option, value);
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          option + ": expected " + min + " to " + max + ", got " + value);
    }
  }

  static void text(String option, String value, int maxBytes) {
    notNull(option, value);
    if (value.isEmpty() || value.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      throw new IllegalArgumentException(
          option + ": expected 1 to " + maxBytes + " bytes of UTF-8, got " + value);
    }
  }

  static void notNull(String option, Object value) {
    if (value == null) {
      throw new IllegalArgumentException(option + ": expected a value, got null");
    }
  }
}

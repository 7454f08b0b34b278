package dev.penstock.spark;

import java.util.Locale;

/** Which shuffles are candidates for the pipelined path: {@code spark.penstock.mode}. */
enum Mode {
  /** None. */
  OFF,
  /** Those of Structured Streaming queries. */
  STREAMING,
  /** Those of batch jobs, too. */
  ALL;

  static Mode parse(String text) {
    for (Mode mode : values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        Settings.MODE + " must be off, streaming or all, but is \"" + text + "\"");
  }
}

package dev.penstock.examples.demo;

import java.util.List;

/**
 * What a node is to do next.
 *
 * @param exchange the exchange that its gates belong to
 * @param recordsPerSecond how fast each producer writes; 0 for as fast as it can
 * @param startNanos when, in {@link System#nanoTime()}: on Linux all JVMs of a machine read the
 *     same clock, CLOCK_MONOTONIC
 * @param measureNanos records due earlier do not count for latency
 * @param endNanos until when
 */
record Phase(
    long exchange, long recordsPerSecond, long startNanos, long measureNanos, long endNanos) {

  boolean isPaced() {
    return recordsPerSecond > 0;
  }

  /** The form that {@link #parse} reads. */
  String text() {
    return exchange
        + " "
        + recordsPerSecond
        + " "
        + startNanos
        + " "
        + measureNanos
        + " "
        + endNanos;
  }

  static Phase parse(List<String> words) {
    return new Phase(
        Long.parseLong(words.get(0)),
        Long.parseLong(words.get(1)),
        Long.parseLong(words.get(2)),
        Long.parseLong(words.get(3)),
        Long.parseLong(words.get(4)));
  }
}

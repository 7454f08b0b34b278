package dev.penstock.benchmarks;

import java.time.Duration;

/**
 * When paced records are due, and which of them count.
 *
 * @param startNanos when the first record is due, in {@link System#nanoTime()}, which on Linux all
 *     JVMs of a machine share
 * @param recordFrom records due earlier are warm-up
 * @param recordUntil when the last record is due
 */
record Schedule(long startNanos, long recordFrom, long recordUntil) {

  /** A schedule that begins so soon that the threads are just ready. */
  static Schedule startingIn(Duration lead, Duration warmUp, Duration measure) {
    long start = System.nanoTime() + lead.toNanos();
    long from = start + warmUp.toNanos();
    return new Schedule(start, from, from + measure.toNanos());
  }

  /** The form that {@link #parse} reads. */
  String text() {
    return startNanos + " " + recordFrom + " " + recordUntil;
  }

  static Schedule parse(String text) {
    String[] parts = text.trim().split(" ", -1);
    return new Schedule(
        Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
  }
}

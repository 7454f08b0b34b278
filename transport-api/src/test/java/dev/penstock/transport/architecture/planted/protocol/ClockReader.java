package dev.penstock.transport.architecture.planted.protocol;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class ClockReader {
  long now() {
    return System.nanoTime();
  }
}

package dev.penstock.transport.architecture.planted.protocol;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class BlockLocker {
  int value() {
    synchronized (this) {
      return 1;
    }
  }
}

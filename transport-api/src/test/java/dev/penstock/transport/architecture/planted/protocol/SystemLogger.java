package dev.penstock.transport.architecture.planted.protocol;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class SystemLogger {
  final System.Logger logger = System.getLogger("planted");
}

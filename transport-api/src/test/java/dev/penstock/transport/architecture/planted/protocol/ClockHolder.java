package dev.penstock.transport.architecture.planted.protocol;

import java.time.Clock;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class ClockHolder {
  final Clock clock = Clock.systemUTC();
}

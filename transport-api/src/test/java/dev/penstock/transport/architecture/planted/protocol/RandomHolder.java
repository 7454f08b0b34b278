package dev.penstock.transport.architecture.planted.protocol;

import java.util.Random;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class RandomHolder {
  final Random random = new Random(1);
}

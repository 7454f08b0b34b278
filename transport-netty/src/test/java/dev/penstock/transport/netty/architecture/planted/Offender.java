package dev.penstock.transport.netty.architecture.planted;

import dev.penstock.codec.planted.Stub;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class Offender {
  final Stub other = new Stub();
}

package dev.penstock.codec.sbe.architecture.planted;

import dev.penstock.transport.netty.planted.Stub;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class Offender {
  final Stub other = new Stub();
}

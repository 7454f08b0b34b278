package dev.penstock.transport.architecture.planted.wire;

import dev.penstock.transport.architecture.planted.protocol.VolatileHolder;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class MachineUser {
  final VolatileHolder machine = new VolatileHolder();
}

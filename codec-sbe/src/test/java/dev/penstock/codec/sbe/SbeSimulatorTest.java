package dev.penstock.codec.sbe;

import dev.penstock.transport.testkit.SimulatorContract;
import dev.penstock.transport.wire.WireCodec;

class SbeSimulatorTest extends SimulatorContract {
  @Override
  protected WireCodec codec() {
    return new SbeWireCodec();
  }
}

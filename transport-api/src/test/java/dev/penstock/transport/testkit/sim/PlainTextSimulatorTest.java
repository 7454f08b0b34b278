package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.testkit.PlainTextCodec;
import dev.penstock.transport.testkit.SimulatorContract;
import dev.penstock.transport.wire.WireCodec;

class PlainTextSimulatorTest extends SimulatorContract {
  @Override
  protected WireCodec codec() {
    return new PlainTextCodec();
  }
}

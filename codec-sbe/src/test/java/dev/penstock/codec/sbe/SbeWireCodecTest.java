package dev.penstock.codec.sbe;

import dev.penstock.transport.testkit.WireCodecContract;
import dev.penstock.transport.wire.WireCodec;

class SbeWireCodecTest extends WireCodecContract {
  @Override
  protected WireCodec codec() {
    return new SbeWireCodec();
  }
}

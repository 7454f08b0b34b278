/**
 * The public API of Penstock, the meaning of its frames, and the protocol as pure state machines.
 */
module dev.penstock.transport {
  exports dev.penstock.transport;
  exports dev.penstock.transport.spi;
  exports dev.penstock.transport.wire to
      dev.penstock.codec.sbe,
      dev.penstock.transport.netty;
  exports dev.penstock.transport.protocol to
      dev.penstock.codec.sbe,
      dev.penstock.transport.netty;

  uses dev.penstock.transport.spi.TransportProvider;
  uses dev.penstock.transport.wire.WireCodec;
}

package dev.penstock.transport.netty;

import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.RendezvousContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The rendezvous part of the contract over sockets. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.penstock.transport.netty.Wiring#available")
class NettyRendezvousTest extends RendezvousContract {
  @Parameter Wiring wiring;

  @Override
  protected TransportOptions.Builder options() {
    return wiring.options();
  }

  @Override
  protected void assertNothingHeld(Transport closed) {
    Leaks.assertNothingHeld(closed);
  }

  @AfterAll
  static void assertNoLeaks() {
    Leaks.assertNoneReported();
  }
}

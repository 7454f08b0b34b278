package dev.penstock.transport.testkit;

import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;

/** Handshake frames of which a test sets a few fields. */
final class HandshakeSamples {
  private HandshakeSamples() {}

  static Hello named(String name) {
    Octets nonce = Octets.copyOf(new byte[WireLimits.NONCE_BYTES]);
    return new Hello(1, 1, 2, 3, 0, 0, 0, 0, 0, 65536, 100, 2000, nonce, name);
  }

  static Hello hello(int minVersion, int maxVersion, int lane, Octets nonce) {
    return new Hello(minVersion, maxVersion, 2, 3, 0, 0, lane, 0, 0, 65536, 100, 2000, nonce, "");
  }

  static Welcome welcome(int version, Octets nonce, Octets proof) {
    return new Welcome(version, 2, 3, 4, 5, false, 0, 65536, 100, 2000, nonce, proof, "");
  }
}

package dev.penstock.benchmarks;

import dev.penstock.benchmarks.rsocket.RSocketSystem;

class RSocketTest extends PeerContract {

  @Override
  Class<?> system() {
    return RSocketSystem.class;
  }

  @Override
  String version() {
    return System.getProperty("penstock.peer.version");
  }
}

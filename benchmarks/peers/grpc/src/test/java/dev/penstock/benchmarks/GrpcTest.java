package dev.penstock.benchmarks;

import dev.penstock.benchmarks.grpc.GrpcSystem;

class GrpcTest extends PeerContract {

  @Override
  Class<?> system() {
    return GrpcSystem.class;
  }

  @Override
  String version() {
    return System.getProperty("penstock.peer.version");
  }
}

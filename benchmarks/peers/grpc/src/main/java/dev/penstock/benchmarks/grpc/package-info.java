/** gRPC streams as a peer. */
package dev.penstock.benchmarks.grpc;

package dev.penstock.benchmarks.grpc;

import dev.penstock.benchmarks.BatchProducer;
import dev.penstock.benchmarks.MessageSystem;
import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.benchmarks.Workload;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Client-streaming calls of gRPC with messages of 32 KiB, one connection per producer and one
 * stream per channel. Both sides run on gRPC's event loops (direct executor), flow control is
 * manual on both sides, and retries, which would keep a copy of each message, are off.
 */
public final class GrpcSystem implements MessageSystem {
  private static final int STOP_SECONDS = 10;

  private final List<ManagedChannel> connections = new ArrayList<>();
  private Server server;
  private BatchProducer[] producers;

  public GrpcSystem(Parameters parameters) {
    if (!parameters.values().isEmpty()) {
      throw new IllegalArgumentException("gRPC has no parameters, got " + parameters.text());
    }
  }

  @Override
  public String listen(Workload workload, Sinks sinks) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(Stream.SERVICE)
            .addMethod(
                Stream.METHOD,
                ServerCalls.<InputStream, InputStream>asyncClientStreamingCall(
                    answer -> StreamReceiver.open(answer, sinks)))
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .addService(service)
            .build()
            .start();
    return String.valueOf(server.getPort());
  }

  @Override
  public void connect(Workload workload, String endpoint) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(endpoint));
    producers = new BatchProducer[workload.producers()];
    for (int i = 0; i < producers.length; i++) {
      ManagedChannel connection =
          NettyChannelBuilder.forAddress(address)
              .usePlaintext()
              .directExecutor()
              .disableRetry()
              .build();
      connections.add(connection);
      GrpcChannel[] channels = new GrpcChannel[workload.consumers()];
      for (int consumer = 0; consumer < channels.length; consumer++) {
        channels[consumer] = new GrpcChannel(workload.writeSize());
        channels[consumer].open(connection, consumer);
      }
      producers[i] = new BatchProducer(channels);
    }
  }

  @Override
  public Producer producer(int index) {
    producers[index].useFromCurrentThread();
    return producers[index];
  }

  @Override
  public String version() {
    return ManagedChannel.class.getPackage().getImplementationVersion();
  }

  @Override
  public void close() throws IOException {
    try {
      for (ManagedChannel connection : connections) {
        connection.shutdownNow().awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
      }
      if (server != null) {
        server.shutdownNow().awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while stopping", e);
    }
  }
}

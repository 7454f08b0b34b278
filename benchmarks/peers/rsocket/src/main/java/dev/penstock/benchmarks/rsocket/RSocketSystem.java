package dev.penstock.benchmarks.rsocket;

import dev.penstock.benchmarks.BatchProducer;
import dev.penstock.benchmarks.MessageSystem;
import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.benchmarks.Workload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/**
 * Request-stream of RSocket over TCP with payloads of 32 KiB, one connection per producer and one
 * stream per channel: the consumer requests 64 payloads, and half of them again when it has taken
 * half. Payloads are decoded without a copy; fragmentation, resumption and leases are off.
 */
public final class RSocketSystem implements MessageSystem {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Pattern JAR = Pattern.compile(".*rsocket-core-(.+)\\.jar");

  private final LoopResources loops =
      LoopResources.create("bench-rsocket", LoopResources.DEFAULT_IO_WORKER_COUNT, true);
  private final List<RSocket> connections = new ArrayList<>();
  private CloseableChannel server;
  private BatchProducer[] producers;

  public RSocketSystem(Parameters parameters) {
    if (!parameters.values().isEmpty()) {
      throw new IllegalArgumentException("RSocket has no parameters, got " + parameters.text());
    }
  }

  @Override
  public String listen(Workload workload, Sinks sinks) {
    SocketAcceptor acceptor =
        (setup, producer) -> {
          for (int consumer = 0; consumer < workload.consumers(); consumer++) {
            StreamReceiver.open(producer, consumer, sinks);
          }
          return Mono.just(new RSocket() {});
        };
    TcpServer tcp =
        TcpServer.create()
            .host(InetAddress.getLoopbackAddress().getHostAddress())
            .port(0)
            .runOn(loops);
    server =
        RSocketServer.create(acceptor)
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            .bind(TcpServerTransport.create(tcp))
            .block(DEADLINE);
    return String.valueOf(server.address().getPort());
  }

  @Override
  public void connect(Workload workload, String endpoint) {
    TcpClient tcp =
        TcpClient.create()
            .host(InetAddress.getLoopbackAddress().getHostAddress())
            .port(Integer.parseInt(endpoint))
            .runOn(loops);
    producers = new BatchProducer[workload.producers()];
    for (int i = 0; i < producers.length; i++) {
      RSocketChannel[] channels = new RSocketChannel[workload.consumers()];
      for (int consumer = 0; consumer < channels.length; consumer++) {
        channels[consumer] = new RSocketChannel(workload.writeSize());
      }
      RSocket connection =
          RSocketConnector.create()
              .payloadDecoder(PayloadDecoder.ZERO_COPY)
              .acceptor(SocketAcceptor.with(new StreamSender(channels)))
              .connect(TcpClientTransport.create(tcp))
              .block(DEADLINE);
      connections.add(connection);
      connection.onClose().subscribe(null, cause -> failAll(channels, cause));
      producers[i] = new BatchProducer(channels);
    }
  }

  private static void failAll(RSocketChannel[] channels, Throwable cause) {
    for (RSocketChannel channel : channels) {
      channel.fail(cause);
    }
  }

  @Override
  public Producer producer(int index) {
    producers[index].useFromCurrentThread();
    return producers[index];
  }

  /** RSocket tells its version nowhere but in the name of its jar. */
  @Override
  public String version() {
    String jar = RSocketServer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    Matcher matcher = JAR.matcher(jar);
    return matcher.matches() ? matcher.group(1) : "unknown";
  }

  @Override
  public void close() {
    connections.forEach(RSocket::dispose);
    if (server != null) {
      server.dispose();
      server.onClose().block(DEADLINE);
    }
    loops.disposeLater(Duration.ZERO, DEADLINE).block(DEADLINE);
  }
}

package dev.penstock.benchmarks.spark;

import dev.penstock.benchmarks.BatchProducer;
import dev.penstock.benchmarks.MessageSystem;
import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.benchmarks.Workload;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * One-way messages of 32 KiB over Spark's transport, one connection per channel. It has no flow
 * control of its own, so at most 32 messages of a channel are under way; the consumer acknowledges
 * every eighth.
 */
public final class SparkSystem implements MessageSystem {
  static final int WINDOW = 32;
  static final int ACKNOWLEDGE_EVERY = 8;

  private static final String MODULE = "bench";

  private final TransportConf conf;
  private final SendingHandler sendingHandler = new SendingHandler();
  private TransportContext receiving;
  private TransportServer server;
  private TransportContext sending;
  private TransportClientFactory clients;
  private BatchProducer[] producers;

  public SparkSystem(Parameters parameters) {
    String mode = parameters.get("transport", "epoll").toUpperCase(Locale.ROOT);
    conf =
        new TransportConf(
            MODULE, new MapConfigProvider(Map.of("spark." + MODULE + ".io.mode", mode)));
  }

  @Override
  public String listen(Workload workload, Sinks sinks) {
    receiving = new TransportContext(conf, new ReceivingHandler(sinks));
    server =
        receiving.createServer(InetAddress.getLoopbackAddress().getHostAddress(), 0, List.of());
    return String.valueOf(server.getPort());
  }

  @Override
  public void connect(Workload workload, String endpoint) throws IOException, InterruptedException {
    sending = new TransportContext(conf, sendingHandler);
    clients = sending.createClientFactory();
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    producers = new BatchProducer[workload.producers()];
    for (int i = 0; i < producers.length; i++) {
      SparkChannel[] channels = new SparkChannel[workload.consumers()];
      for (int consumer = 0; consumer < channels.length; consumer++) {
        TransportClient client = clients.createUnmanagedClient(host, Integer.parseInt(endpoint));
        client.send(ByteBuffer.allocate(Integer.BYTES).putInt(consumer).flip());
        channels[consumer] = new SparkChannel(client, workload.writeSize());
        sendingHandler.register(client, channels[consumer]);
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
    return TransportContext.class.getPackage().getImplementationVersion();
  }

  @Override
  public void close() {
    if (clients != null) {
      clients.close();
      sending.close();
    }
    if (server != null) {
      server.close();
      receiving.close();
    }
  }
}

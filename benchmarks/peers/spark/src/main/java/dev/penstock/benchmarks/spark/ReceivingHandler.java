package dev.penstock.benchmarks.spark;

import dev.penstock.benchmarks.RecordParser;
import dev.penstock.benchmarks.Sinks;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.OneForOneStreamManager;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;

/** The consumers' side: reads records on Spark's event loops and acknowledges messages. */
final class ReceivingHandler extends RpcHandler {
  private final Map<io.netty.channel.Channel, Connection> connections = new ConcurrentHashMap<>();
  private final Sinks sinks;

  ReceivingHandler(Sinks sinks) {
    this.sinks = sinks;
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message) {
    Connection connection = connections.get(client.getChannel());
    if (connection == null) {
      RecordParser parser = new RecordParser(sinks.sink(message.getInt()));
      connections.put(client.getChannel(), new Connection(client, parser));
    } else if (message.hasRemaining()) {
      connection.data(message);
    } else {
      connection.acknowledge();
      sinks.ended(1);
    }
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    throw new UnsupportedOperationException("only one-way messages are sent");
  }

  @Override
  public void exceptionCaught(Throwable cause, TransportClient client) {
    sinks.failed(cause);
  }

  @Override
  public StreamManager getStreamManager() {
    return new OneForOneStreamManager();
  }

  /** Used by its event loop alone. */
  private static final class Connection {
    private final TransportClient client;
    private final RecordParser parser;
    private long received;

    Connection(TransportClient client, RecordParser parser) {
      this.client = client;
      this.parser = parser;
    }

    void data(ByteBuffer message) {
      parser.parse(message);
      received++;
      if (received % SparkSystem.ACKNOWLEDGE_EVERY == 0) {
        acknowledge();
      }
    }

    void acknowledge() {
      client.send(ByteBuffer.allocate(Long.BYTES).putLong(received).flip());
    }
  }
}

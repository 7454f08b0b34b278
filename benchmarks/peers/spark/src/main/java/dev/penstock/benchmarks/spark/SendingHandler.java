package dev.penstock.benchmarks.spark;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.OneForOneStreamManager;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;

/** The producers' side: takes acknowledgements. */
final class SendingHandler extends RpcHandler {
  private final Map<io.netty.channel.Channel, SparkChannel> channels = new ConcurrentHashMap<>();

  void register(TransportClient client, SparkChannel channel) {
    channels.put(client.getChannel(), channel);
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message) {
    channels.get(client.getChannel()).acknowledged(message.getLong());
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    throw new UnsupportedOperationException("only one-way messages are sent");
  }

  @Override
  public void exceptionCaught(Throwable cause, TransportClient client) {
    SparkChannel channel = channels.get(client.getChannel());
    if (channel != null) {
      channel.fail(cause);
    }
  }

  @Override
  public StreamManager getStreamManager() {
    return new OneForOneStreamManager();
  }
}

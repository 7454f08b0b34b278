package dev.penstock.examples.demo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** A JVM with two consumers. */
final class ConsumerNode extends Node {
  private final int firstConsumer;
  private final AtomicLong progress = new AtomicLong();
  private List<InetSocketAddress> producers = List.of();

  private ConsumerNode(int node) {
    super("consumers-" + node);
    this.firstConsumer = node * GATES;
  }

  /**
   * Runs the node.
   *
   * @param args its number
   */
  public static void main(String[] args) throws IOException {
    ConsumerNode node = new ConsumerNode(Integer.parseInt(args[0]));
    say("READY");
    node.run();
  }

  @Override
  void connect(List<InetSocketAddress> nodes) {
    producers = new ArrayList<>();
    for (InetSocketAddress node : nodes) {
      // Gates dial by themselves; here the clock is to start when the connections are there.
      transport().dial(node).join();
      for (int gate = 0; gate < GATES; gate++) {
        producers.add(node);
      }
    }
    say("CONNECTED");
  }

  @Override
  List<Callable<Void>> open(Phase phase) {
    List<Callable<Void>> gates = new ArrayList<>();
    for (int consumer = firstConsumer; consumer < firstConsumer + GATES; consumer++) {
      int number = consumer;
      RecordReader reader = new RecordReader(transport(), phase, number, producers, progress);
      gates.add(
          () -> {
            Tally[] received = reader.run();
            for (int producer = 0; producer < received.length; producer++) {
              say("RECEIVED", producer, number, received[producer].text());
            }
            say("LAST", reader.lastNanos());
            say("LATENCIES", encode(reader.latencies()));
            return null;
          });
    }
    return gates;
  }

  private static String encode(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoByteBuffer(bytes);
    bytes.flip().limit(length);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }

  @Override
  long progress() {
    return progress.get();
  }
}

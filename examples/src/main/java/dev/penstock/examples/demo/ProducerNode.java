package dev.penstock.examples.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** A JVM with two producers. */
final class ProducerNode extends Node {
  private final int firstProducer;
  private final int consumers;
  private final List<Records> records;

  private ProducerNode(int node, int nodes, int consumers, String input) throws IOException {
    super("producers-" + node);
    this.firstProducer = node * GATES;
    this.consumers = consumers;
    this.records = Records.load(input, nodes * GATES, consumers);
  }

  /**
   * Runs the node.
   *
   * @param args its number, how many nodes there are, how many consumers, and the input file
   */
  public static void main(String[] args) throws IOException {
    ProducerNode node =
        new ProducerNode(
            Integer.parseInt(args[0]),
            Integer.parseInt(args[1]),
            Integer.parseInt(args[2]),
            args[3]);
    InetSocketAddress bound =
        node.transport().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    say("READY", bound.getPort());
    node.run();
  }

  @Override
  List<Callable<Void>> open(Phase phase) {
    List<Callable<Void>> gates = new ArrayList<>();
    for (int producer = firstProducer; producer < firstProducer + GATES; producer++) {
      int number = producer;
      RecordWriter writer =
          new RecordWriter(transport(), phase, number, consumers, records.get(number));
      gates.add(
          () -> {
            Tally[] sent = writer.run();
            for (int consumer = 0; consumer < sent.length; consumer++) {
              say("SENT", number, consumer, sent[consumer].text());
            }
            return null;
          });
    }
    return gates;
  }

  @Override
  long progress() {
    return 0;
  }
}

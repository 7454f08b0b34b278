package dev.penstock.examples.engine;

import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A JVM that counts what comes, by epoch. Sources reach a barrier at different times, and what
 * comes early belongs to the next epoch: each source has its own current epoch, and an epoch is
 * complete, its barriers aligned, when every source has left it.
 */
final class Sink implements MessageHandler {
  private static final Duration A_WHILE = Duration.ofSeconds(1);

  private final int sink;
  private final int[] epochOf;
  private final long[] inEpoch;
  private final Map<Integer, Long> totals = new HashMap<>();
  private int aligned;

  private Sink(int sink, int sources) {
    this.sink = sink;
    this.epochOf = new int[sources];
    this.inEpoch = new long[sources];
  }

  /**
   * Runs the sink.
   *
   * @param args its number, and the port of every source
   */
  public static void main(String[] args) throws InterruptedException {
    int sink = Integer.parseInt(args[0]);
    int sources = args.length - 1;
    try (Transport transport = Transport.open(TransportOptions.defaults());
        InputGate gate =
            transport.openInput(InputGateOptions.builder(ToyEngine.EXCHANGE, sink).build())) {
      for (int source = 0; source < sources; source++) {
        int port = Integer.parseInt(args[1 + source]);
        gate.addProducer(source, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      }
      gate.announceProducers(sources);
      new Sink(sink, sources).run(gate);
    }
  }

  private void run(InputGate gate) throws InterruptedException {
    while (!gate.isEnded()) {
      gate.poll(this, 1000, A_WHILE);
    }
    System.out.println("TOOK " + totals.values().stream().mapToLong(Long::longValue).sum());
  }

  @Override
  public void onMessage(int source, ByteBuffer message) {
    totals.merge(epochOf[source], 1L, Long::sum);
    inEpoch[source]++;
  }

  @Override
  public void onEvent(int source, ByteBuffer event) {
    if (Barrier.epoch(event) != epochOf[source] || Barrier.count(event, sink) != inEpoch[source]) {
      throw new IllegalStateException(
          "source " + source + ", epoch " + epochOf[source] + ": barrier out of place");
    }
    epochOf[source]++;
    inEpoch[source] = 0;
    while (allHaveLeft(aligned)) {
      System.out.println("ALIGNED " + aligned + " " + totals.getOrDefault(aligned, 0L));
      aligned++;
    }
  }

  private boolean allHaveLeft(int epoch) {
    for (int current : epochOf) {
      if (current <= epoch) {
        return false;
      }
    }
    return true;
  }
}

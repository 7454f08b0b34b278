package dev.penstock.examples.engine;

import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A JVM that writes numbers for the sinks in turns, and a {@link Barrier} every second. */
final class Source {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int BATCH = 100;

  private final OutputGate gate;
  private final ByteBuffer message = ByteBuffer.allocateDirect(Long.BYTES);
  private long written;

  private Source(OutputGate gate) {
    this.gate = gate;
  }

  /**
   * Runs the source.
   *
   * @param args its number, how many sinks there are, and how many epochs to write
   */
  public static void main(String[] args) throws InterruptedException {
    int sinks = Integer.parseInt(args[1]);
    try (Transport transport = Transport.open(TransportOptions.defaults())) {
      InetSocketAddress bound =
          transport.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      System.out.println("BOUND " + bound.getPort());
      // Writing may begin at once: the log holds what fits until the sinks come.
      OutputGate gate =
          transport.openOutput(
              OutputGateOptions.builder(ToyEngine.EXCHANGE, Integer.parseInt(args[0]), sinks)
                  .build());
      new Source(gate).run(Integer.parseInt(args[2]));
    }
  }

  private void run(int epochs) throws InterruptedException {
    try (gate) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        writeEpoch(epoch, System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
      }
      gate.finish(PATIENCE).join().orThrow();
    }
    System.out.println("WROTE " + written);
  }

  private void writeEpoch(int epoch, long end) throws InterruptedException {
    long[] counts = new long[gate.consumers()];
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < BATCH; i++) {
        int sink = (int) (written % counts.length);
        message.putLong(0, written);
        accepted(gate.offer(sink, message, PATIENCE));
        counts[sink]++;
        written++;
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    accepted(gate.broadcastEvent(Barrier.encode(epoch, counts), PATIENCE));
  }

  private static void accepted(OfferResult result) {
    if (result != OfferResult.ACCEPTED) {
      throw new IllegalStateException("not accepted: " + result);
    }
  }
}

package dev.penstock.examples.demo;

import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.Transport;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.HdrHistogram.Histogram;

/** One consumer: takes records from all producers and counts them. */
final class RecordReader implements MessageHandler {
  private static final Duration A_WHILE = Duration.ofSeconds(1);
  private static final int AT_ONCE = 1000;

  private final InputGate gate;
  private final Phase phase;
  private final Tally[] tallies;
  private final AtomicLong progress;
  private final Histogram latencies = new Histogram(3);
  private final CRC32C crc = new CRC32C();
  private long lastNanos;

  /**
   * Opens a gate and dials the producers.
   *
   * @param producers where each producer's node is bound, by the producer's number
   * @param progress counts records while they come
   */
  RecordReader(
      Transport transport,
      Phase phase,
      int consumer,
      List<InetSocketAddress> producers,
      AtomicLong progress) {
    this.gate = transport.openInput(InputGateOptions.builder(phase.exchange(), consumer).build());
    this.phase = phase;
    this.progress = progress;
    this.tallies = new Tally[producers.size()];
    for (int producer = 0; producer < tallies.length; producer++) {
      tallies[producer] = new Tally();
      gate.addProducer(producer, producers.get(producer));
    }
    gate.announceProducers(tallies.length);
  }

  /** Takes records until every producer has finished; returns what came from each. */
  Tally[] run() throws InterruptedException {
    try (gate) {
      while (!gate.isEnded()) {
        int taken = gate.poll(this, AT_ONCE, A_WHILE);
        if (taken > 0) {
          lastNanos = System.nanoTime();
          progress.addAndGet(taken);
        }
      }
    }
    return tallies;
  }

  @Override
  public void onMessage(int producer, ByteBuffer message) {
    int start = message.position();
    long due = message.getLong(start + Layout.DUE);
    if (phase.isPaced() && due - phase.measureNanos() >= 0) {
      latencies.recordValue(Math.max(0, System.nanoTime() - due));
    }
    message.position(start + Layout.TEXT);
    int length = message.remaining();
    crc.reset();
    crc.update(message);
    tallies[producer].add(message.getLong(start + Layout.NUMBER), (int) crc.getValue(), length);
  }

  /** From due to handled, in nanoseconds; of paced records only. */
  Histogram latencies() {
    return latencies;
  }

  /** When the last record was taken. */
  long lastNanos() {
    return lastNanos;
  }
}

package dev.penstock.examples.demo;

import dev.penstock.transport.FinishResult;
import dev.penstock.transport.MessageClaim;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One producer: writes its records in place into the log of a gate, over and over. */
final class RecordWriter {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int CLOCK_EVERY = 256;

  private final OutputGate gate;
  private final MessageClaim claim = new MessageClaim();
  private final Records records;
  private final Phase phase;
  private final Tally[] tallies;

  RecordWriter(Transport transport, Phase phase, int producer, int consumers, Records records) {
    this.gate =
        transport.openOutput(
            OutputGateOptions.builder(phase.exchange(), producer, consumers).build());
    this.records = records;
    this.phase = phase;
    this.tallies = new Tally[consumers];
    for (int consumer = 0; consumer < consumers; consumer++) {
      tallies[consumer] = new Tally();
    }
  }

  /** Writes, and waits until the consumers have taken everything; returns what was written. */
  Tally[] run() throws InterruptedException {
    try (gate) {
      parkUntil(phase.startNanos());
      if (phase.isPaced()) {
        writePaced();
      } else {
        writeAtFullSpeed();
      }
      FinishResult result = gate.finish(PATIENCE).join();
      result.orThrow();
    }
    return tallies;
  }

  /** At least once through, and on until the time is over. */
  private void writeAtFullSpeed() throws InterruptedException {
    long now = System.nanoTime();
    for (long i = 0; i < records.count() || now - phase.endNanos() < 0; i++) {
      if (i % CLOCK_EVERY == 0) {
        now = System.nanoTime();
      }
      write((int) (i % records.count()), now);
    }
  }

  /** Each record counts from when it was due: a producer that is late does not hide it. */
  private void writePaced() throws InterruptedException {
    for (long i = 0; ; i++) {
      long due = phase.startNanos() + i * SECOND / phase.recordsPerSecond();
      if (due - phase.endNanos() >= 0) {
        return;
      }
      parkUntil(due);
      write((int) (i % records.count()), due);
    }
  }

  private static void parkUntil(long nanos) {
    for (long wait = nanos - System.nanoTime(); wait > 0; wait = nanos - System.nanoTime()) {
      LockSupport.parkNanos(wait);
    }
  }

  private void write(int record, long due) throws InterruptedException {
    int consumer = records.consumer(record);
    int length = records.length(record);
    // Waits when the consumer is slower, or while the connection is down.
    OfferResult result = gate.claim(consumer, Layout.TEXT + length, claim, PATIENCE);
    if (result != OfferResult.ACCEPTED) {
      throw new IllegalStateException(
          "consumer " + consumer + ": " + result, gate.failure(consumer));
    }
    Tally tally = tallies[consumer];
    Layout.write(claim.buffer(), due, tally.next(), records.text(), records.start(record), length);
    claim.commit();
    tally.add(tally.next(), records.crc(record), length);
  }
}

package dev.penstock.benchmarks.penstock;

import dev.penstock.benchmarks.Producer;
import dev.penstock.transport.FinishResult;
import dev.penstock.transport.MessageClaim;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import java.io.IOException;
import java.time.Duration;

/** Copies records into claims of an output gate. */
final class PenstockProducer implements Producer {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final OutputGate gate;
  private final MessageClaim claim = new MessageClaim();

  PenstockProducer(OutputGate gate) {
    this.gate = gate;
  }

  @Override
  public void send(int consumer, byte[] record) throws IOException, InterruptedException {
    while (!trySend(consumer, record)) {
      OfferResult result = gate.awaitRoom(consumer, record.length, PATIENCE);
      if (result != OfferResult.ACCEPTED) {
        throw refused(consumer, result);
      }
    }
  }

  @Override
  public boolean trySend(int consumer, byte[] record) throws IOException {
    OfferResult result = gate.tryClaim(consumer, record.length, claim);
    if (result == OfferResult.ACCEPTED) {
      claim.putBytes(0, record);
      claim.commit();
      return true;
    }
    if (result != OfferResult.BACK_PRESSURED) {
      throw refused(consumer, result);
    }
    return false;
  }

  private IOException refused(int consumer, OfferResult result) {
    return new IOException("consumer " + consumer + ": " + result, gate.failure(consumer));
  }

  @Override
  public void flush() {
    gate.flush();
  }

  @Override
  public void close() {
    FinishResult result = gate.finish(PATIENCE).join();
    gate.close();
    result.orThrow();
  }
}

package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageClaim;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The calls of an output gate that wait for memory. */
@Timeout(60)
class OutputGateWaitingTest {
  private static final Duration SOON = Duration.ofMillis(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MESSAGE_BYTES = 100;

  private final ByteBuffer event = ByteBuffer.allocate(OutputGate.MAX_EVENT_BYTES);
  private final MessageClaim claim = new MessageClaim();
  private int written;

  private static OutputGate openSmall(Transport transport) {
    return transport.openOutput(
        OutputGateOptions.builder(1, 0, 1).budget(transport.createBudget(64 << 10, 1)).build());
  }

  private void fill(OutputGate gate) {
    while (gate.tryClaim(0, MESSAGE_BYTES, claim) == OfferResult.ACCEPTED) {
      commitNext();
    }
    while (gate.offerEvent(0, event) == OfferResult.ACCEPTED) {
      written++;
    }
  }

  private void commitNext() {
    claim.buffer().putInt(written++);
    claim.commit();
  }

  @Test
  void shouldBeBackPressuredWhenNoRoomComesInTime() throws InterruptedException {
    try (Transport transport = Transport.open(TransportOptions.defaults());
        OutputGate gate = openSmall(transport)) {
      fill(gate);
      assertThat(gate.claim(0, MESSAGE_BYTES, claim, SOON)).isEqualTo(OfferResult.BACK_PRESSURED);
      assertThat(gate.offer(0, ByteBuffer.allocate(MESSAGE_BYTES), SOON))
          .isEqualTo(OfferResult.BACK_PRESSURED);
      assertThat(gate.offerEvent(0, event, SOON)).isEqualTo(OfferResult.BACK_PRESSURED);
      assertThat(gate.broadcastEvent(event, SOON)).isEqualTo(OfferResult.BACK_PRESSURED);
    }
  }

  @Test
  void shouldWaitUntilTheConsumerMakesRoom() throws Exception {
    try (Transport transport = Transport.open(TransportOptions.defaults());
        OutputGate out = openSmall(transport);
        InputGate in = transport.openInput(InputGateOptions.builder(1, 0).build())) {
      fill(out);
      List<Integer> messages = new ArrayList<>();
      int[] events = new int[1];
      CompletableFuture<Void> consumer =
          CompletableFuture.runAsync(() -> takeAll(in, messages, events));
      int moreEvents = 0;
      for (int i = 0; i < 2_000; i++) {
        assertThat(out.claim(0, MESSAGE_BYTES, claim, PATIENCE)).isEqualTo(OfferResult.ACCEPTED);
        commitNext();
        assertThat(out.offerEvent(0, event, PATIENCE)).isEqualTo(OfferResult.ACCEPTED);
        assertThat(out.broadcastEvent(event, PATIENCE)).isEqualTo(OfferResult.ACCEPTED);
        moreEvents += 2;
      }
      out.finish().get(30, TimeUnit.SECONDS).orThrow();
      consumer.get(30, TimeUnit.SECONDS);
      assertThat(messages).isSorted().doesNotHaveDuplicates();
      assertThat(messages.size() + events[0]).isEqualTo(written + moreEvents);
      assertThat(events[0]).isGreaterThanOrEqualTo(moreEvents);
      assertThat(messages).size().isGreaterThan(2_000);
    }
  }

  private static void takeAll(InputGate in, List<Integer> messages, int[] events) {
    MessageHandler handler =
        new MessageHandler() {
          @Override
          public void onMessage(int producer, ByteBuffer message) {
            messages.add(message.getInt(message.position()));
          }

          @Override
          public void onEvent(int producer, ByteBuffer received) {
            events[0]++;
          }
        };
    in.addProducer(0);
    in.announceProducers(1);
    try {
      while (!in.isEnded()) {
        in.poll(handler, 100, PATIENCE);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

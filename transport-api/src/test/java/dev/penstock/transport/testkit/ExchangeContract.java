package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageClaim;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every transport does with messages and events between gates that find each other. */
public abstract class ExchangeContract extends TransportFixture {
  /** For the implementation's test. */
  protected ExchangeContract() {}

  // --- Messages

  @Test
  void shouldCarryEachMessageOnceAndInOrder() throws Exception {
    Transport producers = node();
    InputGate in = input(node(), 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    OutputGate out = output(producers, 1, 0, 1);
    int count = 20_000;
    Future<Void> sent =
        async(
            () -> {
              for (int i = 0; i < count; i++) {
                send(out, 0, message(i, i % 300));
              }
              out.finish().join().orThrow();
              return null;
            });
    Received received = new Received();
    pollToEnd(in, received);
    get(sent);
    assertThat(received.messages(0)).hasSize(count);
    int next = 0;
    for (byte[] message : received.messages(0)) {
      assertMessage(message, next, next % 300);
      next++;
    }
    assertThat(received.ended()).containsExactly(0);
  }

  @Test
  void shouldExchangeBetweenFourProducersAndFourConsumers() throws Exception {
    List<Transport> producerNodes = List.of(node(), node());
    List<InetSocketAddress> addresses = producerNodes.stream().map(TransportFixture::bind).toList();
    List<Transport> consumerNodes = List.of(node(), node());
    int count = 2_000;
    List<Future<Void>> sent = new ArrayList<>();
    List<Future<Received>> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int number = i;
      OutputGate out = output(producerNodes.get(i % 2), 7, i, 4);
      sent.add(
          async(
              () -> {
                for (int m = 0; m < count; m++) {
                  for (int consumer = 0; consumer < 4; consumer++) {
                    send(out, consumer, message(m + number * 10L + consumer, 100));
                  }
                }
                out.finish().join().orThrow();
                return null;
              }));
      InputGate in = input(consumerNodes.get(i % 2), 7, i);
      taken.add(
          async(
              () -> {
                for (int producer = 0; producer < 4; producer++) {
                  in.addProducer(producer, addresses.get(producer % 2));
                }
                in.announceProducers(4);
                Received received = new Received();
                pollToEnd(in, received);
                return received;
              }));
    }
    for (Future<Void> producer : sent) {
      get(producer);
    }
    for (int consumer = 0; consumer < 4; consumer++) {
      Received received = get(taken.get(consumer));
      for (int producer = 0; producer < 4; producer++) {
        assertThat(received.messages(producer)).hasSize(count);
        int next = 0;
        for (byte[] message : received.messages(producer)) {
          assertMessage(message, next++ + producer * 10L + consumer, 100);
        }
      }
      assertThat(received.ended()).containsExactlyInAnyOrder(0, 1, 2, 3);
    }
  }

  @Test
  void shouldCarryMessagesWrittenInPlaceAndNoneThatWasGivenBack() throws Exception {
    Transport producers = node();
    OutputGate out = output(producers, 1, 0, 1);
    MessageClaim claim = new MessageClaim();
    for (int i = 0; i < 100; i++) {
      assertThat(out.tryClaim(0, 10, claim)).isEqualTo(OfferResult.ACCEPTED);
      assertThat(claim.buffer().remaining()).isEqualTo(10);
      claim.buffer().put(message(i, 10));
      if (i % 3 == 0) {
        claim.abort();
      } else {
        claim.commit();
      }
      assertThatThrownBy(claim::commit).isInstanceOf(IllegalStateException.class);
    }
    assertThat(out.tryClaim(0, 0, claim)).isEqualTo(OfferResult.ACCEPTED);
    claim.commit();
    Received received = exchange(producers, out);
    assertThat(received.messages(0)).hasSize(67);
    int next = 1;
    for (byte[] message : received.messages(0)) {
      if (next < 99) {
        assertMessage(message, next, 10);
      } else {
        assertThat(message).isEmpty();
      }
      next += next % 3 == 2 ? 2 : 1;
    }
  }

  @Test
  void shouldCarryMessagesWithoutBytes() throws Exception {
    Transport producers = node();
    OutputGate out = output(producers, 1, 0, 1);
    for (int i = 0; i < 1_000; i++) {
      send(out, 0, ByteBuffer.allocate(0));
    }
    Received received = exchange(producers, out);
    assertThat(received.messages(0)).hasSize(1_000).allMatch(message -> message.length == 0);
  }

  @Test
  void shouldLeaveThePositionOfAnOfferedBufferAlone() {
    OutputGate out = output(node(), 1, 0, 1);
    ByteBuffer message = message(1, 20).position(5).limit(15);
    assertThat(out.offer(0, message)).isEqualTo(OfferResult.ACCEPTED);
    assertThat(message.position()).isEqualTo(5);
    assertThat(message.limit()).isEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(ints = {100_000, 1 << 20, 16 << 20})
  void shouldAssembleLargeMessages(int length) throws Exception {
    Transport producers = node();
    OutputGate out = output(producers, 1, 0, 1);
    Future<Void> sent =
        async(
            () -> {
              send(out, 0, message(1, 10));
              send(out, 0, message(2, length));
              send(out, 0, message(3, 10));
              return null;
            });
    Received received = exchange(producers, out, sent);
    List<byte[]> messages = List.copyOf(received.messages(0));
    assertThat(messages).hasSize(3);
    assertMessage(messages.get(0), 1, 10);
    assertMessage(messages.get(1), 2, length);
    assertMessage(messages.get(2), 3, 10);
  }

  @ParameterizedTest
  @ValueSource(ints = {200_000, 16 << 20})
  void shouldHandOutLargeMessagesInPieces(int length) throws Exception {
    Transport producers = node();
    OutputGate out = output(producers, 1, 0, 1);
    InputGate in = node().openInput(InputGateOptions.builder(1, 0).assemble(false).build());
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    Future<Void> sent =
        async(
            () -> {
              send(out, 0, message(5, length));
              send(out, 0, message(6, 20));
              out.finish().join().orThrow();
              return null;
            });
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    AtomicInteger whole = new AtomicInteger();
    AtomicInteger left = new AtomicInteger(length);
    pollToEnd(
        in,
        new MessageHandler() {
          @Override
          public void onMessage(int producer, ByteBuffer message) {
            assertThat(message.remaining()).isEqualTo(20);
            assertThat(left.get()).isZero();
            whole.incrementAndGet();
          }

          @Override
          public void onPiece(int producer, ByteBuffer piece, int remaining) {
            assertThat(left.addAndGet(-piece.remaining())).isEqualTo(remaining);
            byte[] bytes = new byte[piece.remaining()];
            piece.get(bytes);
            pieces.writeBytes(bytes);
          }
        });
    get(sent);
    assertThat(whole).hasValue(1);
    assertMessage(pieces.toByteArray(), 5, length);
  }

  @Test
  void shouldRefuseMessagesOverTheMaximumAtOnce() throws Exception {
    Transport producers = node();
    OutputGate out = output(producers, 1, 0, 1);
    ByteBuffer tooLarge = ByteBuffer.allocateDirect((16 << 20) + 1);
    MessageClaim claim = new MessageClaim();
    assertThat(out.offer(0, tooLarge)).isEqualTo(OfferResult.MESSAGE_TOO_LARGE);
    assertThat(out.offer(0, tooLarge, PATIENCE)).isEqualTo(OfferResult.MESSAGE_TOO_LARGE);
    assertThat(out.tryClaim(0, tooLarge.remaining(), claim))
        .isEqualTo(OfferResult.MESSAGE_TOO_LARGE);
    send(out, 0, message(1, 100));
    assertThat(exchange(producers, out).messages(0)).hasSize(1);
  }

  // --- Events

  @Test
  void shouldDeliverEventsInOrderWithMessages() throws Exception {
    Transport producers = node();
    OutputGate out = output(producers, 1, 0, 2);
    for (int i = 0; i < 50; i++) {
      send(out, 0, message(i, i));
      send(out, 1, message(i, i + 1));
      assertThat(out.broadcastEvent(message(i, i + 2))).isEqualTo(OfferResult.ACCEPTED);
    }
    assertThat(out.offerEvent(1, message(0, OutputGate.MAX_EVENT_BYTES)))
        .isEqualTo(OfferResult.ACCEPTED);
    Transport consumers = node();
    InetSocketAddress address = bind(producers);
    List<Received> received = new ArrayList<>();
    List<Future<Void>> polls = new ArrayList<>();
    for (int consumer = 0; consumer < 2; consumer++) {
      InputGate in = input(consumers, 1, consumer);
      in.addProducer(0, address);
      in.announceProducers(1);
      Received taken = new Received();
      received.add(taken);
      polls.add(
          async(
              () -> {
                pollToEnd(in, taken);
                return null;
              }));
    }
    get(out.finish()).orThrow();
    for (Future<Void> poll : polls) {
      get(poll);
    }
    for (int consumer = 0; consumer < 2; consumer++) {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        expected.add("message " + (i + consumer));
        expected.add("event " + (i + 2));
      }
      if (consumer == 1) {
        expected.add("event " + OutputGate.MAX_EVENT_BYTES);
      }
      expected.add("end");
      assertThat(received.get(consumer).order(0)).containsExactlyElementsOf(expected);
    }
  }

  @Test
  void shouldRefuseLongEvents() {
    OutputGate out = output(node(), 1, 0, 2);
    ByteBuffer longEvent = message(0, OutputGate.MAX_EVENT_BYTES + 1);
    assertThat(out.offerEvent(0, longEvent)).isEqualTo(OfferResult.MESSAGE_TOO_LARGE);
    assertThat(out.broadcastEvent(longEvent)).isEqualTo(OfferResult.MESSAGE_TOO_LARGE);
  }

  @Test
  void shouldHaveRoomForAnEventInAFullChannel() {
    OutputGate out = output(node(), 1, 0, 2);
    fill(out, 0, 1_000);
    assertThat(out.broadcastEvent(message(0, OutputGate.MAX_EVENT_BYTES)))
        .isEqualTo(OfferResult.ACCEPTED);
  }

  @Test
  void shouldServeProducersInTurns() throws Exception {
    Transport producers = node();
    InetSocketAddress address = bind(producers);
    Transport consumers = node();
    InputGate in = input(consumers, 1, 0);
    for (int producer = 0; producer < 2; producer++) {
      OutputGate out = output(producers, 1, producer, 1);
      for (int i = 0; i < (producer == 0 ? 5_000 : 10); i++) {
        send(out, 0, message(i, 10));
      }
      in.addProducer(producer, address);
    }
    for (int producer = 0; producer < 2; producer++) {
      int number = producer;
      await(
          "data of producer " + producer,
          () -> waits(consumers, number, 0, WaitsFor.LOCAL_CONSUMER));
    }
    Received received = new Received();
    pollUntil(in, received, () -> received.messages(1).size() == 10);
    assertThat(received.messages(0).size()).isLessThan(5_000);
  }

  // --- Handlers

  @Test
  void shouldRunAHandlerOnTheLoop() throws Exception {
    Transport producers = node();
    Received received = new Received();
    AtomicReference<String> thread = new AtomicReference<>();
    InputGate in =
        node()
            .openInput(
                InputGateOptions.builder(1, 0)
                    .loopHandler(
                        new MessageHandler() {
                          @Override
                          public void onMessage(int producer, ByteBuffer message) {
                            thread.set(Thread.currentThread().getName());
                            received.onMessage(producer, message);
                          }

                          @Override
                          public void onEnd(int producer) {
                            received.onEnd(producer);
                          }
                        })
                    .build());
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    OutputGate out = output(producers, 1, 0, 1);
    for (int i = 0; i < 5_000; i++) {
      send(out, 0, message(i, 100));
    }
    get(out.finish()).orThrow();
    assertThat(received.messages(0)).hasSize(5_000);
    int next = 0;
    for (byte[] message : received.messages(0)) {
      assertMessage(message, next++, 100);
    }
    assertThat(thread.get()).startsWith("penstock-");
    await("the end", in::isEnded);
    assertThat(received.ended()).containsExactly(0);
    assertThatThrownBy(() -> in.poll(received, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldGoOnAfterAHandlerThatThrows() throws Exception {
    Transport producers = node();
    InputGate in = input(node(), 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    OutputGate out = output(producers, 1, 0, 1);
    for (int i = 0; i < 10; i++) {
      send(out, 0, message(i, 100));
    }
    var finished = out.finish();
    Received received = new Received();
    RuntimeException planned = new IllegalStateException("planned");
    assertThatThrownBy(
            () ->
                pollUntil(
                    in,
                    (producer, bytes) -> {
                      received.onMessage(producer, bytes);
                      if (received.messages(0).size() == 4) {
                        throw planned;
                      }
                    },
                    () -> false))
        .isSameAs(planned);
    pollToEnd(in, received);
    get(finished).orThrow();
    assertThat(received.messages(0)).hasSize(10);
  }

  /** Has a consumer on another node take everything of producer 0. */
  private Received exchange(Transport producers, OutputGate out) throws Exception {
    return exchange(producers, out, null);
  }

  private Received exchange(Transport producers, OutputGate out, Future<Void> sent)
      throws Exception {
    Received received = new Received();
    InputGate in = input(node(), 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    Future<Void> polled =
        async(
            () -> {
              pollToEnd(in, received);
              return null;
            });
    if (sent != null) {
      get(sent);
    }
    get(out.finish()).orThrow();
    get(polled);
    assertThat(received.ended()).containsExactly(0);
    return received;
  }

  /** The key of a channel of exchange 1, for messages. */
  static ChannelKey key(int producer, int consumer) {
    return new ChannelKey(1, producer, consumer, 0);
  }
}

package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MemoryBudget;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportSnapshot;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounded memory, isolation of slow consumers, and the snapshot that names them. */
public abstract class LimitContract extends TransportFixture {
  /** For the implementation's test. */
  protected LimitContract() {}

  @Test
  void shouldPressBackInsideTheBudgetsWhenAConsumerDoesNotRead() throws Exception {
    Transport producers = node();
    Transport consumers = node();
    OutputGate out = output(producers, 1, 0, 1);
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    int sent = 0;
    while (out.offer(0, message(sent, 1_000), Duration.ofSeconds(1)) == OfferResult.ACCEPTED) {
      sent++;
    }
    assertThat(out.offer(0, message(sent, 1_000))).isEqualTo(OfferResult.BACK_PRESSURED);
    assertThat(producers.defaultBudget().outputBytesPeak())
        .isPositive()
        .isLessThanOrEqualTo(producers.defaultBudget().bytes());
    assertThat(consumers.defaultBudget().inputBytesPeak())
        .isPositive()
        .isLessThanOrEqualTo(consumers.defaultBudget().bytes());
    Received received = new Received();
    Future<Void> polled =
        async(
            () -> {
              pollToEnd(in, received);
              return null;
            });
    send(out, 0, message(sent, 1_000));
    get(out.finish()).orThrow();
    get(polled);
    assertThat(received.messages(0)).hasSize(sent + 1);
    int next = 0;
    for (byte[] message : received.messages(0)) {
      assertMessage(message, next++, 1_000);
    }
    await("the log is given back", () -> producers.defaultBudget().outputBytesUsed() == 0);
    await("the credit is given back", () -> consumers.defaultBudget().inputBytesUsed() == 0);
  }

  @Test
  void shouldTellWhenRoomIsWorthATry() throws Exception {
    Transport producers = node();
    OutputGate out = output(producers, 1, 0, 1);
    fill(out, 0, 1_000);
    assertThat(out.awaitRoom(0, 1_000, Duration.ofMillis(20)))
        .isEqualTo(OfferResult.BACK_PRESSURED);
    InputGate in = input(node(), 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    Future<Void> polled =
        async(
            () -> {
              pollToEnd(in, new Received());
              return null;
            });
    assertThat(out.awaitRoom(0, 1_000, PATIENCE)).isEqualTo(OfferResult.ACCEPTED);
    send(out, 0, message(1, 1_000));
    get(out.finish()).orThrow();
    get(polled);
  }

  @Test
  void shouldLeaveTheInterruptToTheCallerThatWaits() throws Exception {
    OutputGate out = output(node(), 1, 0, 1);
    fill(out, 0, 1_000);
    InputGate in = input(node(), 1, 0);
    for (boolean offers : new boolean[] {true, false}) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(
              () -> {
                if (offers) {
                  out.offer(0, message(1, 1_000), PATIENCE);
                } else {
                  in.poll(new Received(), 1, PATIENCE);
                }
              })
          .isInstanceOf(InterruptedException.class);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  /** What a channel holds when it ends is charged until it is thrown away, and not longer. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldGiveCreditBackWhenAChannelEndsWithRecordsThatNobodyTook(boolean producerEnds)
      throws Exception {
    Transport producers = node();
    Transport consumers = node();
    OutputGate out = output(producers, 1, 0, 1);
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    fillConnected(out, producers);
    pollUntil(in, new Received(), () -> waits(consumers, 0, 0, WaitsFor.LOCAL_CONSUMER));
    assertThat(consumers.defaultBudget().inputBytesUsed()).isPositive();
    if (producerEnds) {
      out.abort(ErrorCode.APPLICATION_ERROR, "no more");
    } else {
      in.stop();
    }
    await("the credit is given back", () -> consumers.defaultBudget().inputBytesUsed() == 0);
    await("the log is given back", () -> producers.defaultBudget().outputBytesUsed() == 0);
    pollToEnd(in, new Received());
  }

  @Test
  void shouldGoOnWhenAMessageLongerThanTheCreditThatIsLeftFollowsLater() throws Exception {
    Transport producers = node();
    Transport consumers = node();
    MemoryBudget floorOnly = consumers.createBudget(2 * 2_048, 1);
    OutputGate out = output(producers, 1, 0, 1);
    InputGate in = consumers.openInput(InputGateOptions.builder(1, 0).budget(floorOnly).build());
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    Received received = new Received();
    for (int i = 0; i < 20; i++) {
      send(out, 0, message(2L * i, 100));
      await("it came", () -> waits(consumers, 0, 0, WaitsFor.LOCAL_CONSUMER));
      send(out, 0, message(2L * i + 1, 4_000));
      await("the producer waits", () -> waits(producers, 0, 0, WaitsFor.CONSUMER));
      int next = 2 * i + 2;
      pollUntil(in, received, () -> received.messages(0).size() == next);
    }
    CompletableFuture<?> finished = out.finish();
    pollToEnd(in, received);
    get(finished);
  }

  @Test
  void shouldServeOthersWhileOneConsumerDoesNotRead() throws Exception {
    Transport producers = node();
    Transport consumers = node();
    InetSocketAddress address = bind(producers);
    OutputGate out = output(producers, 1, 0, 4);
    List<InputGate> gates = new ArrayList<>();
    List<Received> received = new ArrayList<>();
    List<Future<Void>> polls = new ArrayList<>();
    for (int consumer = 0; consumer < 4; consumer++) {
      InputGate in = input(consumers, 1, consumer);
      in.addProducer(0, address);
      in.announceProducers(1);
      gates.add(in);
      received.add(new Received());
    }
    for (int consumer = 1; consumer < 4; consumer++) {
      polls.add(poll(gates.get(consumer), received.get(consumer)));
    }
    int stuck = fillConnected(out, producers);
    for (int i = 0; i < 20_000; i++) {
      for (int consumer = 1; consumer < 4; consumer++) {
        send(out, consumer, message(i, 200));
      }
    }
    CompletableFuture<?> finished = out.finish();
    for (Future<Void> poll : polls) {
      get(poll);
    }
    for (int consumer = 1; consumer < 4; consumer++) {
      assertThat(received.get(consumer).messages(0)).hasSize(20_000);
    }
    assertThat(finished).isNotDone();
    assertThat(waits(producers, 0, 0, WaitsFor.CONSUMER)).isTrue();
    assertThat(waits(consumers, 0, 0, WaitsFor.LOCAL_CONSUMER)).isTrue();
    get(poll(gates.get(0), received.get(0)));
    get(finished);
    assertThat(received.get(0).messages(0)).hasSize(stuck);
  }

  private Future<Void> poll(InputGate gate, Received received) {
    return async(
        () -> {
          pollToEnd(gate, received);
          return null;
        });
  }

  /** Writes to consumer 0 until its credit and the log are used up. */
  private static int fillConnected(OutputGate out, Transport producers)
      throws InterruptedException {
    int sent = 0;
    boolean full = false;
    while (!full) {
      while (out.offer(0, message(0, 1_000), Duration.ofMillis(200)) == OfferResult.ACCEPTED) {
        sent++;
      }
      full = waits(producers, 0, 0, WaitsFor.CONSUMER);
    }
    return sent;
  }

  @Test
  void shouldShareABudgetBetweenGatesAndRefuseWhatIsTooMuch() throws Exception {
    Transport producers = node();
    MemoryBudget budget = producers.createBudget(1 << 20, 8);
    assertThat(budget.bytes()).isEqualTo(1 << 20);
    assertThat(budget.channels()).isEqualTo(8);
    OutputGate first =
        producers.openOutput(OutputGateOptions.builder(1, 0, 5).budget(budget).build());
    assertThatThrownBy(
            () -> producers.openOutput(OutputGateOptions.builder(1, 1, 4).budget(budget).build()))
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
              assertThat(e).hasMessageContaining("budgetChannels");
            });
    OutputGate second =
        producers.openOutput(OutputGateOptions.builder(1, 1, 3).budget(budget).build());
    for (int consumer = 0; consumer < 5; consumer++) {
      fill(first, consumer, 500);
    }
    assertThat(budget.outputBytesUsed()).isPositive().isLessThanOrEqualTo(1 << 20);
    assertThat(producers.defaultBudget().outputBytesUsed()).isZero();
    first.close();
    second.close();
    await("all is given back", () -> budget.outputBytesUsed() == 0);
    producers.openOutput(OutputGateOptions.builder(2, 0, 8).budget(budget).build()).close();
  }

  @Test
  void shouldRefuseProducersBeyondTheBudgetOfAnInputGate() {
    Transport consumers = node();
    MemoryBudget budget = consumers.createBudget(64 << 10, 2);
    InputGate in = consumers.openInput(InputGateOptions.builder(1, 0).budget(budget).build());
    in.addProducer(0);
    in.addProducer(1);
    assertThatThrownBy(() -> in.addProducer(2))
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED));
    in.close();
    assertThat(budget.inputBytesUsed()).isZero();
    InputGate next = consumers.openInput(InputGateOptions.builder(2, 0).budget(budget).build());
    next.addProducer(0);
    next.addProducer(1);
  }

  @Test
  void shouldGetThroughABudgetOfTheSmallestFloors() throws Exception {
    Transport producers = node(options -> options.budgetBytes(2 << 20).budgetChannels(1_000));
    Transport consumers = node(options -> options.budgetBytes(2 << 20).budgetChannels(1_000));
    InetSocketAddress address = bind(producers);
    OutputGate out = output(producers, 1, 0, 3);
    List<Received> received = new ArrayList<>();
    List<Future<Void>> polls = new ArrayList<>();
    for (int consumer = 0; consumer < 3; consumer++) {
      InputGate in = input(consumers, 1, consumer);
      in.addProducer(0, address);
      in.announceProducers(1);
      received.add(new Received());
      polls.add(poll(in, received.get(consumer)));
    }
    for (int i = 0; i < 200; i++) {
      for (int consumer = 0; consumer < 3; consumer++) {
        send(out, consumer, message(i, i * 20));
      }
    }
    get(out.finish()).orThrow();
    for (int consumer = 0; consumer < 3; consumer++) {
      get(polls.get(consumer));
      assertThat(received.get(consumer).messages(0)).hasSize(200);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void shouldNameTheConsumersThereAreWhenAskedForAnother(int consumer) {
    OutputGate out = output(node(), 1, 0, 2);
    assertThatThrownBy(() -> out.offer(consumer, message(0, 1)))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("consumers 0 to 1");
    assertThatThrownBy(() -> out.outcome(consumer)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldNotLetBudgetsOfAnotherNodeIn() {
    Transport one = node();
    MemoryBudget foreign =
        new MemoryBudget() {
          @Override
          public long bytes() {
            return 1;
          }

          @Override
          public int channels() {
            return 1;
          }

          @Override
          public long outputBytesUsed() {
            return 0;
          }

          @Override
          public long inputBytesUsed() {
            return 0;
          }

          @Override
          public long outputBytesPeak() {
            return 0;
          }

          @Override
          public long inputBytesPeak() {
            return 0;
          }
        };
    assertThatThrownBy(
            () -> one.openOutput(OutputGateOptions.builder(1, 0, 1).budget(foreign).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("createBudget");
  }

  @Test
  void shouldShowInASnapshotWhoWaitsForWhom() throws Exception {
    Transport producers = node();
    Transport consumers = node();
    InetSocketAddress address = bind(producers);
    OutputGate out = output(producers, 1, 0, 2);
    assertThat(waits(producers, 0, 0, WaitsFor.PEER_GATE)).isTrue();
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, address);
    await("open", () -> waits(producers, 0, 0, WaitsFor.PRODUCER));
    await("open", () -> waits(consumers, 0, 0, WaitsFor.PRODUCER));
    send(out, 0, message(1, 100));
    await("sent", () -> waits(consumers, 0, 0, WaitsFor.LOCAL_CONSUMER));
    var finished = out.finish();
    await("finishing", () -> waits(producers, 0, 0, WaitsFor.CONFIRMATION));
    TransportSnapshot snapshot = producers.snapshot();
    assertThat(snapshot.sessions()).hasSize(1);
    assertThat(snapshot.sessions().get(0).bytesSent()).isPositive();
    assertThat(snapshot.sessions().get(0).bytesReceived()).isPositive();
    assertThat(snapshot.directBytes()).isPositive();
    assertThat(snapshot.toString()).contains("CONFIRMATION");
    in.announceProducers(1);
    pollToEnd(in, new Received());
    assertThat(consumers.snapshot().channels()).isEmpty();
    assertThat(finished).isNotDone(); // consumer 1 never came
    await("consumer 0 is done", () -> out.outcome(0) != null);
    assertThat(producers.snapshot().channels()).hasSize(1);
  }

  @Test
  void shouldDialAheadOfNeed() throws Exception {
    Transport one = node(options -> options.nodeName("one"));
    Transport other = node(options -> options.nodeName("other"));
    assertThat(get(other.dial(bind(one)))).isEqualTo("one");
    await("the session", () -> one.snapshot().sessions().size() == 1);
    assertThat(one.snapshot().sessions().get(0).peer()).contains("other");
  }

  @Test
  void shouldKeepTransportsWithDifferentOptionsApartInOneJvm() throws Exception {
    Transport[] small = {
      node(options -> options.budgetBytes(128 << 10).budgetChannels(4).eventLoops(1).lanes(1)),
      node(options -> options.budgetBytes(128 << 10).budgetChannels(4).eventLoops(1).lanes(1))
    };
    Transport[] large = {
      node(options -> options.eventLoops(2).lanes(3).maxFrameLength(256 << 10)),
      node(options -> options.eventLoops(3).lanes(2).payloadCrc(false))
    };
    for (Transport[] pair : List.of(small, large)) {
      OutputGate out = output(pair[0], 1, 0, 1);
      InputGate in = input(pair[1], 1, 0);
      in.addProducer(0, bind(pair[0]));
      in.announceProducers(1);
      Received received = new Received();
      Future<Void> polled = poll(in, received);
      for (int i = 0; i < 1_000; i++) {
        send(out, 0, message(i, 1_000));
      }
      get(out.finish()).orThrow();
      get(polled);
      assertThat(received.messages(0)).hasSize(1_000);
    }
    assertThat(small[0].defaultBudget().outputBytesPeak()).isLessThanOrEqualTo(128 << 10);
  }

  @Test
  void shouldGoWithoutPayloadChecksumsWhenBothSidesAskForThat() throws Exception {
    Transport producers = node(options -> options.payloadCrc(false));
    Transport consumers = node(options -> options.payloadCrc(false));
    OutputGate out = output(producers, 1, 0, 1);
    for (int i = 0; i < 100; i++) {
      send(out, 0, message(i, 1_000));
    }
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    Received received = new Received();
    Future<Void> polled = poll(in, received);
    for (int i = 100; i < 200; i++) {
      send(out, 0, message(i, 1_000));
    }
    get(out.finish()).orThrow();
    get(polled);
    int next = 0;
    for (byte[] message : received.messages(0)) {
      assertMessage(message, next++, 1_000);
    }
    assertThat(next).isEqualTo(200);
  }
}

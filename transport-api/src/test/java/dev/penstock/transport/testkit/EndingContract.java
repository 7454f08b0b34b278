package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.FinishResult;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How channels, gates and nodes end: each end of a channel gets one outcome, and both agree. */
public abstract class EndingContract extends TransportFixture {
  /** For the implementation's test. */
  protected EndingContract() {}

  /** A producer and its consumer on two nodes. */
  private final class Pair {
    final Transport producers = node();
    final Transport consumers = node();
    final OutputGate out = output(producers, 1, 0, 1);
    final InputGate in = input(consumers, 1, 0);
    final Received received = new Received();

    Pair() {
      in.addProducer(0, bind(producers));
      in.announceProducers(1);
    }

    void sendAndAwait(int messages) throws InterruptedException {
      for (int i = 0; i < messages; i++) {
        send(out, 0, message(i, 100));
      }
      await("the data", () -> waits(consumers, 0, 0, WaitsFor.LOCAL_CONSUMER));
    }
  }

  // --- The producer ends

  @Test
  void shouldFinishWithoutAnyMessage() throws Exception {
    Pair pair = new Pair();
    CompletableFuture<FinishResult> finished = pair.out.finish();
    pollToEnd(pair.in, pair.received);
    assertThat(get(finished).outcomes()).containsExactly(Outcome.FINISHED);
    assertThat(pair.received.order(0)).containsExactly("end");
  }

  @Test
  void shouldFinishOnlyWhenTheConsumerHasTakenEverything() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(10);
    CompletableFuture<FinishResult> finished = pair.out.finish();
    await(
        "all is sent, and nothing confirmed",
        () -> waits(pair.producers, 0, 0, WaitsFor.CONFIRMATION));
    assertThat(pair.in.poll(pair.received, 9)).isEqualTo(9);
    assertThat(finished).isNotDone();
    assertThat(pair.out.outcome(0)).isNull();
    pollToEnd(pair.in, pair.received);
    assertThat(get(finished).outcomes()).containsExactly(Outcome.FINISHED);
    assertThat(pair.out.outcome(0)).isEqualTo(Outcome.FINISHED);
    assertThat(pair.out.failure(0)).isNull();
  }

  @Test
  void shouldReportAnUnknownOutcomeWhenFinishIsNotConfirmedInTime() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(10);
    FinishResult result = get(pair.out.finish(Duration.ofMillis(200)));
    assertThat(result.outcomes()).containsExactly(Outcome.UNKNOWN);
    assertThat(result.failures().get(0).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThatThrownBy(result::orThrow).isInstanceOf(TransportException.class);
  }

  @Test
  void shouldFailToFinishWhenNoConsumerComes() throws Exception {
    OutputGate out = output(node(), 1, 0, 1);
    send(out, 0, message(1, 10));
    FinishResult result = get(out.finish(Duration.ofMillis(200)));
    assertThat(result.outcomes()).containsExactly(Outcome.FAILED);
    assertThat(result.failures().get(0).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
  }

  @Test
  void shouldShowTheConsumerWhyTheProducerAborted() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(5);
    pair.out.abort(ErrorCode.APPLICATION_ERROR, "the disk is full");
    pollUntil(pair.in, pair.received, () -> pair.received.failure(0) != null);
    assertThat(pair.received.failure(0).code()).isEqualTo(ErrorCode.APPLICATION_ERROR);
    assertThat(pair.received.failure(0)).hasMessageContaining("the disk is full");
    assertThat(pair.received.failure(0).channel()).isEqualTo(ExchangeContract.key(0, 0));
    await("the outcome", () -> pair.out.outcome(0) != null);
    assertThat(pair.out.outcome(0)).isEqualTo(Outcome.ABORTED);
    assertThat(pair.in.isEnded()).isTrue();
    assertThat(pair.out.offer(0, message(1, 1))).isEqualTo(OfferResult.CLOSED);
  }

  @Test
  void shouldThrowAFailureOutOfThePollThatDoesNotHandleIt() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(1);
    pair.out.abort(ErrorCode.CANCELLED, "never mind");
    AtomicInteger messages = new AtomicInteger();
    MessageHandler handler = (producer, bytes) -> messages.incrementAndGet();
    assertThatThrownBy(() -> pollUntil(pair.in, handler, () -> false))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("never mind");
    assertThat(pair.in.poll(handler, 10)).isZero();
    assertThat(pair.in.isEnded()).isTrue();
  }

  @Test
  void shouldTakeNothingAfterFinishOrClose() {
    OutputGate out = output(node(), 1, 0, 1);
    var unused = out.finish();
    assertThat(out.offer(0, message(1, 10))).isEqualTo(OfferResult.CLOSED);
    assertThat(out.offerEvent(0, message(1, 10))).isEqualTo(OfferResult.CLOSED);
    assertThat(out.broadcastEvent(message(1, 10))).isEqualTo(OfferResult.CLOSED);
    out.close();
    out.close();
    assertThat(out.offer(0, message(1, 10))).isEqualTo(OfferResult.CLOSED);
    assertThat(out.outcome(0)).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void shouldWakeAProducerThatWaitsForRoomWhenTheChannelFails() throws Exception {
    Pair pair = new Pair();
    Future<OfferResult> result =
        async(
            () -> {
              OfferResult last = OfferResult.ACCEPTED;
              while (last == OfferResult.ACCEPTED) {
                last = pair.out.offer(0, message(1, 10_000), Duration.ofMinutes(10));
              }
              return last;
            });
    await("the producer waits", () -> waits(pair.producers, 0, 0, WaitsFor.CONSUMER));
    pair.in.abort(ErrorCode.APPLICATION_ERROR, "no more");
    assertThat(get(result)).isEqualTo(OfferResult.FAILED);
  }

  // --- The consumer ends

  @Test
  void shouldStopAProducerWithoutFailingIt() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(10);
    pair.in.stop();
    await("the stop", () -> pair.out.outcome(0) != null);
    assertThat(pair.out.outcome(0)).isEqualTo(Outcome.STOPPED);
    assertThat(pair.out.offer(0, message(1, 10))).isEqualTo(OfferResult.STOPPED);
    FinishResult result = get(pair.out.finish());
    assertThat(result.isComplete()).isTrue();
    result.orThrow();
    pollToEnd(pair.in, pair.received);
    assertThat(pair.received.messages(0)).isEmpty();
    assertThat(pair.received.failure(0)).isNull();
  }

  @Test
  void shouldStopOneProducerAndHearTheOthers() throws Exception {
    Pair pair = new Pair();
    pair.in.announceProducers(2);
    pair.in.addProducer(1, (InetSocketAddress) pair.producers.boundAddresses().get(0));
    OutputGate other = output(pair.producers, 1, 1, 1);
    pair.sendAndAwait(10);
    pair.in.stop(0);
    send(other, 0, message(1, 10));
    CompletableFuture<FinishResult> finished = other.finish();
    pollToEnd(pair.in, pair.received);
    get(finished).orThrow();
    assertThat(pair.received.messages(1)).hasSize(1);
    await("the stop", () -> pair.out.outcome(0) == Outcome.STOPPED);
  }

  @Test
  void shouldShowTheProducerWhyTheConsumerAborted() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(10);
    pair.in.abort(ErrorCode.APPLICATION_ERROR, "cannot parse this");
    await("the failure", () -> pair.out.outcome(0) != null);
    assertThat(pair.out.outcome(0)).isEqualTo(Outcome.FAILED);
    assertThat(pair.out.failure(0).code()).isEqualTo(ErrorCode.APPLICATION_ERROR);
    assertThat(pair.out.failure(0)).hasMessageContaining("cannot parse this");
    assertThat(pair.out.offer(0, message(1, 10))).isEqualTo(OfferResult.FAILED);
    assertThat(get(pair.out.finish()).isComplete()).isFalse();
  }

  @Test
  void shouldStopProducersWhenTheConsumersGateIsClosed() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(10);
    pair.in.close();
    pair.in.close();
    await("the stop", () -> pair.out.outcome(0) != null);
    assertThat(pair.out.outcome(0)).isEqualTo(Outcome.STOPPED);
    assertThat(pair.in.poll(pair.received, 10)).isZero();
  }

  @Test
  void shouldWakeAConsumerThatWaitsWhenTheProducerCloses() throws Exception {
    Pair pair = new Pair();
    Future<Integer> polled = async(() -> pair.in.poll(pair.received, 1, Duration.ofMinutes(10)));
    await("the channel is open", () -> waits(pair.consumers, 0, 0, WaitsFor.PRODUCER));
    pair.out.close();
    assertThat(get(polled)).isZero();
    assertThat(pair.received.failure(0).code()).isEqualTo(ErrorCode.CANCELLED);
  }

  @Test
  void shouldFailAConsumerWhoseProducerNeverComes() throws Exception {
    Transport producers = node();
    Transport consumers = node(options -> options.openTimeout(Duration.ofMillis(300)));
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    Received received = new Received();
    pollToEnd(in, received);
    assertThat(received.failure(0).code())
        .isIn(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.UNKNOWN_CHANNEL);
  }

  // --- Attempts

  @Test
  void shouldRefuseAnOlderAttempt() {
    Transport node = node();
    var unused = node.openOutput(OutputGateOptions.builder(1, 0, 1).attempt(3).build());
    assertThatThrownBy(() -> node.openOutput(OutputGateOptions.builder(1, 0, 1).attempt(2).build()))
        .isInstanceOfSatisfying(
            TransportException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
    InputGate newer = node.openInput(InputGateOptions.builder(1, 0).attempt(3).build());
    newer.addProducer(0);
    InputGate older = node.openInput(InputGateOptions.builder(1, 0).attempt(2).build());
    assertThatThrownBy(() -> older.addProducer(0))
        .isInstanceOfSatisfying(
            TransportException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
  }

  @Test
  void shouldFenceAnOlderProducerWhenANewerAttemptTakesOver() throws Exception {
    Pair old = new Pair();
    old.sendAndAwait(5);
    OutputGate newer =
        old.producers.openOutput(OutputGateOptions.builder(1, 0, 1).attempt(1).build());
    InputGate in = old.consumers.openInput(InputGateOptions.builder(1, 0).attempt(1).build());
    in.addProducer(0, (InetSocketAddress) old.producers.boundAddresses().get(0));
    in.announceProducers(1);
    send(newer, 0, message(7, 10));
    CompletableFuture<FinishResult> finished = newer.finish();
    Received received = new Received();
    pollToEnd(in, received);
    get(finished).orThrow();
    assertThat(received.messages(0)).hasSize(1);
    assertMessage(received.messages(0).remove(), 7, 10);
    await("the old one is fenced", () -> old.out.outcome(0) != null);
    assertThat(old.out.failure(0).code()).isEqualTo(ErrorCode.FENCED);
    pollToEnd(old.in, old.received);
    assertThat(old.received.failure(0).code()).isEqualTo(ErrorCode.FENCED);
  }

  @Test
  void shouldFenceAnOlderAttemptThatArrivesLate() throws Exception {
    Transport producers = node();
    InetSocketAddress address = bind(producers);
    var unused = producers.openOutput(OutputGateOptions.builder(1, 0, 1).attempt(5).build());
    InputGate late = node().openInput(InputGateOptions.builder(1, 0).attempt(4).build());
    late.addProducer(0, address);
    late.announceProducers(1);
    Received received = new Received();
    pollToEnd(late, received);
    assertThat(received.failure(0).code()).isEqualTo(ErrorCode.FENCED);
    assertThat(received.messages(0)).isEmpty();
  }

  // --- Nodes

  @Test
  void shouldLetLiveChannelsFinishWhenANodeCloses() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(1_000);
    CompletableFuture<FinishResult> finished = pair.out.finish();
    Future<Void> closed =
        async(
            () -> {
              pair.producers.close(PATIENCE);
              return null;
            });
    pollToEnd(pair.in, pair.received);
    assertThat(get(finished).outcomes()).containsExactly(Outcome.FINISHED);
    get(closed);
    assertThat(pair.received.messages(0)).hasSize(1_000);
  }

  @Test
  void shouldFailLiveChannelsWhenANodeClosesAtOnce() throws Exception {
    Pair pair = new Pair();
    pair.sendAndAwait(10);
    pair.producers.close(Duration.ZERO);
    assertThat(pair.out.outcome(0)).isNotNull();
    assertThat(pair.out.failure(0).code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
    pollToEnd(pair.in, pair.received);
    assertThat(pair.received.failure(0).code())
        .isIn(ErrorCode.SHUTTING_DOWN, ErrorCode.SESSION_LOST);
  }

  @Test
  void shouldFailGatesWithoutAPeerWhenANodeCloses() throws Exception {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 1);
    send(out, 0, message(1, 10));
    CompletableFuture<FinishResult> finished = out.finish();
    InputGate in = input(node, 2, 0);
    in.addProducer(0);
    node.close(Duration.ZERO);
    assertThat(get(finished).isComplete()).isFalse();
    assertThat(out.outcome(0)).isNotNull();
    assertThat(in.poll(new Received(), 1, PATIENCE)).isZero();
  }

  @Test
  void shouldRefuseUseAfterClose() {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 1);
    node.close();
    node.close();
    assertShuttingDown(() -> bind(node));
    assertShuttingDown(() -> output(node, 1, 1, 1));
    assertShuttingDown(() -> input(node, 1, 1));
    InetSocketAddress somewhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    assertShuttingDown(
        () -> {
          var unused = node.dial(somewhere);
        });
    assertThat(out.offer(0, ByteBuffer.allocate(1))).isNotEqualTo(OfferResult.ACCEPTED);
    assertThat(node.snapshot().channels()).isEmpty();
  }

  private static void assertShuttingDown(Runnable use) {
    assertThatThrownBy(use::run)
        .isInstanceOfSatisfying(
            TransportException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SHUTTING_DOWN));
  }
}

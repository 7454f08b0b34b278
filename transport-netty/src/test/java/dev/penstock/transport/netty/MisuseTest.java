package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.FinishResult;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.MessageClaim;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import dev.penstock.transport.testkit.Received;
import dev.penstock.transport.testkit.TransportFixture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that make no sense are refused, and leave the gate as it was. */
class MisuseTest extends TransportFixture {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final MessageClaim claim = new MessageClaim();

  @Override
  protected TransportOptions.Builder options() {
    return TransportOptions.builder();
  }

  @Override
  protected void assertNothingHeld(Transport closed) {
    Leaks.assertNothingHeld(closed);
  }

  @AfterAll
  static void assertNoLeaks() {
    Leaks.assertNoneReported();
  }

  /** Everything written to exchange 1 arrives, and nothing else. */
  private static void assertArrives(Transport node, OutputGate out, int... consumerMessages)
      throws Exception {
    CompletableFuture<FinishResult> finished = out.finish();
    for (int consumer = 0; consumer < consumerMessages.length; consumer++) {
      InputGate in = input(node, 1, consumer);
      in.addProducer(0);
      in.announceProducers(1);
      Received received = new Received();
      pollToEnd(in, received);
      assertThat(received.order(0)).hasSize(consumerMessages[consumer] + 1).endsWith("end");
    }
    get(finished).orThrow();
  }

  // --- Claims

  @Test
  void shouldRefuseANegativeLength() throws Exception {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 1);
    send(out, 0, message(0, 10));
    assertThatThrownBy(() -> out.tryClaim(0, -100, claim))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-100");
    assertThatThrownBy(() -> out.claim(0, -1, claim, PATIENCE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.awaitRoom(0, -1, PATIENCE))
        .isInstanceOf(IllegalArgumentException.class);
    send(out, 0, message(1, 20));
    assertArrives(node, out, 2);
  }

  @Test
  void shouldGiveTheRoomBackWhenTheClaimObjectCannotTakeIt() throws Exception {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 1);
    OutputGate other = output(node, 2, 0, 1);
    assertThatThrownBy(() -> out.tryClaim(0, 5, null)).isInstanceOf(NullPointerException.class);
    assertThat(other.tryClaim(0, 5, claim)).isEqualTo(OfferResult.ACCEPTED);
    assertThatThrownBy(() -> out.tryClaim(0, 5, claim))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("last claim is open");
    claim.abort();
    assertThat(out.tryClaim(0, 5, claim)).isEqualTo(OfferResult.ACCEPTED);
    claim.commit();
    assertArrives(node, out, 1);
  }

  @Test
  void shouldRefuseEverythingElseWhileAClaimIsOpen() throws Exception {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 2);
    assertThat(out.tryClaim(1, 5, claim)).isEqualTo(OfferResult.ACCEPTED);
    MessageClaim second = new MessageClaim();
    assertThatThrownBy(() -> out.tryClaim(0, 5, second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("consumer 1");
    assertThatThrownBy(() -> out.offer(0, message(0, 5))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> out.broadcastEvent(message(0, 5)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(out::finish).isInstanceOf(IllegalStateException.class);
    claim.commit();
    assertThat(out.broadcastEvent(message(0, 5))).isEqualTo(OfferResult.ACCEPTED);
    assertArrives(node, out, 1, 2);
  }

  // --- Events

  @Test
  void shouldSayThatABroadcastReachedNobody() throws Exception {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 2);
    for (int consumer = 0; consumer < 2; consumer++) {
      assertThat(out.broadcastEvent(message(0, 5))).isEqualTo(OfferResult.ACCEPTED);
      InputGate in = input(node, 1, consumer);
      in.addProducer(0);
      int number = consumer;
      await("the channel", () -> !waits(node, 0, number, WaitsFor.PEER_GATE));
      in.stop();
      await("the stop", () -> out.outcome(number) == Outcome.STOPPED);
    }
    assertThat(out.broadcastEvent(message(0, 5))).isEqualTo(OfferResult.CLOSED);
    assertThat(out.broadcastEvent(message(0, 5), PATIENCE)).isEqualTo(OfferResult.CLOSED);
  }

  @Test
  void shouldNotSwallowAnEventThatIsLongerThanAnyMessageMayBe() {
    Transport node = node(options -> options.maxMessageLength(10));
    OutputGate out = output(node, 1, 0, 2);
    assertThat(out.offerEvent(0, message(0, 11))).isEqualTo(OfferResult.MESSAGE_TOO_LARGE);
    assertThat(out.broadcastEvent(message(0, 11))).isEqualTo(OfferResult.MESSAGE_TOO_LARGE);
    assertThat(out.broadcastEvent(message(0, 10))).isEqualTo(OfferResult.ACCEPTED);
  }

  /** The allocator's sizes are not the application's. */
  @Test
  void shouldAssembleTheLongestMessageWithTheLeastMemoryAllowed() throws Exception {
    int longest = 100_000;
    Transport node = node(options -> options.maxMessageLength(longest).assemblyBytes(longest));
    OutputGate out = output(node, 1, 0, 1);
    send(out, 0, message(0, longest));
    assertArrives(node, out, 1);
  }

  // --- Ends

  @Test
  void shouldRefuseToGiveUpWithoutAReasonThatTheOtherEndCanBeTold() throws Exception {
    Transport producers = node();
    Transport consumers = node();
    OutputGate out = output(producers, 1, 0, 1);
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    assertThatThrownBy(() -> out.abort(null, "planned"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.abort(ErrorCode.CANCELLED, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> in.abort(ErrorCode.STOPPED, "planned"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("APPLICATION_ERROR");
    assertThat(out.offer(0, message(0, 10))).isEqualTo(OfferResult.ACCEPTED);
    CompletableFuture<FinishResult> finished = out.finish();
    pollToEnd(in, new Received());
    get(finished).orThrow();
  }

  @Test
  void shouldTakeTheEarlierDeadlineOfTwoFinishes() throws Exception {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 1);
    InputGate in = input(node, 1, 0);
    in.addProducer(0);
    send(out, 0, message(0, 10));
    await("the channel", () -> !node.snapshot().sessions().isEmpty());
    CompletableFuture<FinishResult> endless = out.finish();
    assertThat(endless.cancel(true)).isTrue();
    CompletableFuture<FinishResult> bounded = out.finish(Duration.ofMillis(10));
    assertThat(get(bounded).outcomes()).doesNotContain(Outcome.FINISHED);
    assertThat(get(out.finish()).outcomes()).isEqualTo(get(bounded).outcomes());
  }

  // --- Waits

  @Test
  void shouldWaitForEverIfToldSo() throws Exception {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 1);
    assertThat(out.awaitRoom(0, 10, FOREVER)).isEqualTo(OfferResult.ACCEPTED);
    int filled = fill(out, 0, 10_000);
    Future<OfferResult> waiting = async(() -> out.offer(0, message(0, 10_000), FOREVER));
    InputGate in = input(node, 1, 0);
    in.addProducer(0);
    in.announceProducers(1);
    Received received = new Received();
    pollUntil(in, received, () -> received.messages(0).size() == filled + 1);
    assertThat(get(waiting)).isEqualTo(OfferResult.ACCEPTED);
    CompletableFuture<FinishResult> finished = out.finish(FOREVER);
    while (!in.isEnded()) {
      in.poll(received, 1, FOREVER);
    }
    get(finished).orThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE})
  void shouldCloseWhateverTheDrain(long seconds) {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 1);
    assertThat(out.offer(0, message(0, 10))).isEqualTo(OfferResult.ACCEPTED);
    node.close(Duration.ofSeconds(seconds));
    assertThat(out.outcome(0)).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void shouldRefuseToPollFromAHandlerAndForNothing() throws Exception {
    Transport node = node();
    OutputGate out = output(node, 1, 0, 1);
    InputGate in = input(node, 1, 0);
    in.addProducer(0);
    in.announceProducers(1);
    send(out, 0, message(0, 10));
    assertThatThrownBy(() -> in.poll(null, 1)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> in.poll(new Received(), 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> in.poll((producer, message) -> in.poll(new Received(), 1), 1, PATIENCE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("being polled");
    CompletableFuture<FinishResult> finished = out.finish();
    Received received = new Received();
    pollToEnd(in, received);
    assertThat(received.order(0)).containsExactly("end"); // the message counts as taken
    get(finished).orThrow();
  }

  @Test
  void shouldNotWaitAtAGateThatWasClosed() throws Exception {
    InputGate in = input(node(), 1, 0);
    in.close();
    assertThat(in.poll(new Received(), 1, FOREVER)).isZero();
  }

  // --- Producers

  @Test
  void shouldRefuseProducersWithoutAddressOrBeyondTheNumberAnnounced() {
    InputGate in = input(node(), 1, 0);
    in.announceProducers(1);
    assertThatThrownBy(() -> in.addProducer(0, null)).isInstanceOf(NullPointerException.class);
    in.addProducer(0);
    assertThatThrownBy(() -> in.addProducer(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("announce more");
    in.announceProducers(2);
    in.addProducer(1);
    assertThatThrownBy(() -> OutputGateOptions.builder(1, 0, 1).pushTo(0, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pushTo");
  }

  @Test
  void shouldSayThatBothSidesOpenAChannel() throws Exception {
    Transport producers = node();
    Transport consumers = node();
    OutputGate out =
        producers.openOutput(OutputGateOptions.builder(1, 0, 1).pushTo(0, bind(consumers)).build());
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    CompletableFuture<String> told = new CompletableFuture<>();
    // Whichever is refused first; the other may wait for its deadline then.
    pollUntil(in, new FailureOnly(told), () -> told.isDone() || out.failure(0) != null);
    assertThat(out.failure(0) != null ? out.failure(0).getMessage() : get(told))
        .contains("only one side");
    out.close();
  }

  @Test
  void shouldSayWhyNoConnectionCameUpBeforeTheDeadline() throws Exception {
    Transport node = node(options -> options.openTimeout(Duration.ofMillis(500)));
    InputGate in = input(node, 1, 0);
    CompletableFuture<String> told = new CompletableFuture<>();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      in.addProducer(0, (InetSocketAddress) silent.getLocalSocketAddress());
      in.announceProducers(1);
      pollToEnd(in, new FailureOnly(told));
    }
    assertThat(get(told)).contains("openTimeout").contains("no connection");
  }

  @Test
  void shouldConnectWithoutAResumeWindow() throws Exception {
    Transport producers = node(options -> options.resumeWindow(Duration.ZERO));
    Transport consumers = node(options -> options.resumeWindow(Duration.ZERO));
    OutputGate out = output(producers, 1, 0, 1);
    send(out, 0, message(0, 10));
    CompletableFuture<FinishResult> finished = out.finish();
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    pollToEnd(in, new Received());
    get(finished).orThrow();
  }

  @Test
  void shouldLeaveNothingOfGatesThatAreOpenedWhileTheNodeCloses() throws Exception {
    for (int round = 0; round < 20; round++) {
      Transport node = node();
      CountDownLatch begun = new CountDownLatch(3);
      List<Future<Integer>> openings = new ArrayList<>();
      for (int producer = 0; producer < 3; producer++) {
        int number = producer;
        openings.add(async(() -> openUntilClosed(node, number, begun)));
      }
      begun.await();
      node.close(Duration.ZERO);
      for (Future<Integer> opening : openings) {
        assertThat(get(opening)).isPositive();
      }
      assertThat(node.defaultBudget().outputBytesUsed()).isZero();
      assertNothingHeld(node);
    }
  }

  private static int openUntilClosed(Transport node, int producer, CountDownLatch begun) {
    int opened = 0;
    try {
      while (true) {
        OutputGate out = output(node, opened, producer, 1);
        out.offer(0, message(0, 10));
        if (opened++ == 0) {
          begun.countDown();
        }
        if (opened > 100) {
          out.close();
        }
      }
    } catch (TransportException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
      return opened;
    }
  }

  // --- The listener

  @Test
  void shouldGoOnWhenTheListenerThrows() throws Exception {
    Transport producers = node(options -> options.listener(new Throwing()));
    Transport consumers = node(options -> options.listener(new Throwing()));
    OutputGate out = output(producers, 1, 0, 1);
    OutputGate inside = output(consumers, 2, 0, 1);
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    InputGate insideIn = input(consumers, 2, 0);
    insideIn.addProducer(0);
    for (InputGate gate : new InputGate[] {in, insideIn}) {
      OutputGate of = gate == in ? out : inside;
      gate.announceProducers(1);
      send(of, 0, message(0, 10));
      CompletableFuture<FinishResult> finished = of.finish();
      pollToEnd(gate, new Received());
      get(finished).orThrow();
    }
    output(producers, 3, 0, 1).close();
  }

  private record FailureOnly(CompletableFuture<String> told) implements MessageHandler {
    @Override
    public void onMessage(int producer, ByteBuffer message) {}

    @Override
    public void onFailure(int producer, TransportException failure) {
      told.complete(failure.getMessage());
    }
  }

  private static final class Throwing implements TransportListener {
    private static IllegalStateException planned() {
      return new IllegalStateException("planned");
    }

    @Override
    public void onLaneUp(SocketAddress peer, int lane, boolean resumed) {
      throw planned();
    }

    @Override
    public void onLaneBroken(SocketAddress peer, int lane, ErrorCode code, String reason) {
      throw planned();
    }

    @Override
    public void onSessionLost(SocketAddress peer, ErrorCode code, String reason) {
      throw planned();
    }

    @Override
    public void onChannelOpened(ChannelKey channel, Direction direction) {
      throw planned();
    }

    @Override
    public void onChannelClosed(
        ChannelKey channel, Direction direction, Outcome outcome, ErrorCode code) {
      throw planned();
    }
  }
}

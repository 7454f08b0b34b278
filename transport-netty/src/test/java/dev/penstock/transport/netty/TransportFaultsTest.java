package dev.penstock.transport.netty;

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
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.Received;
import dev.penstock.transport.testkit.TransportFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Faults of docs/faults.md that no other test is about. */
class TransportFaultsTest extends TransportFixture {
  private static final int MESSAGE_BYTES = 100;

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

  /** FAULTS 6. */
  @Test
  void shouldRefuseToBlockAnEventLoop() throws Exception {
    Transport producers = node();
    Transport consumers = node();
    OutputGate full = output(consumers, 2, 0, 1);
    fill(full, 0, MESSAGE_BYTES);
    InputGate empty = input(consumers, 3, 0);
    CompletableFuture<Void> checked = new CompletableFuture<>();
    InputGate onLoop =
        consumers.openInput(
            InputGateOptions.builder(1, 0)
                .loopHandler(
                    (producer, message) -> {
                      try {
                        assertAllRefuse(consumers, full, empty);
                        checked.complete(null);
                      } catch (Throwable e) {
                        checked.completeExceptionally(e);
                      }
                    })
                .build());
    onLoop.addProducer(0, bind(producers));
    OutputGate out = output(producers, 1, 0, 1);
    send(out, 0, message(0, MESSAGE_BYTES));
    get(checked);
    get(out.finish()).orThrow();
  }

  private static void assertAllRefuse(Transport node, OutputGate full, InputGate empty) {
    ByteBuffer message = message(0, MESSAGE_BYTES);
    assertRefused(() -> full.offer(0, message, PATIENCE));
    assertRefused(() -> full.awaitRoom(0, MESSAGE_BYTES, PATIENCE));
    assertRefused(() -> empty.poll(new Received(), 1, PATIENCE));
    assertRefused(node::close);
    assertRefused(node::snapshot);
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("event loop");
  }

  /** FAULTS 12. */
  @Test
  void shouldReportTheEndOfAChannelOnceHoweverManyCausesThereAre() throws Exception {
    int channels = 40;
    Events producerEvents = new Events();
    Events consumerEvents = new Events();
    Transport producers = node(options -> options.listener(producerEvents));
    Transport consumers = node(options -> options.listener(consumerEvents));
    var address = bind(producers);
    List<Received> received = new ArrayList<>();
    List<Future<?>> ends = new ArrayList<>();
    for (int exchange = 0; exchange < channels; exchange++) {
      OutputGate out = output(producers, exchange, 0, 1);
      InputGate in = input(consumers, exchange, 0);
      in.addProducer(0, address);
      in.announceProducers(1);
      send(out, 0, message(0, MESSAGE_BYTES));
      Received of = new Received();
      received.add(of);
      pollUntil(in, of, () -> of.messages(0).size() == 1);
      if (exchange % 2 == 0) {
        ends.add(async(() -> abort(in)));
      }
      ends.add(async(() -> abort(out)));
      ends.add(
          async(
              () -> {
                pollToEnd(in, of);
                in.poll(of, 1);
                return null;
              }));
    }
    for (Future<?> end : ends) {
      get(end);
    }
    producers.close(Duration.ZERO);
    consumers.close(Duration.ZERO);
    assertThat(producerEvents.closed).hasSize(channels);
    assertThat(consumerEvents.closed).hasSize(channels);
    assertThat(received).allSatisfy(of -> assertThat(of.order(0)).hasSize(2)); // message, failure
  }

  private static Void abort(OutputGate out) {
    out.abort(ErrorCode.CANCELLED, "planned");
    out.close();
    return null;
  }

  private static Void abort(InputGate in) {
    in.abort(ErrorCode.APPLICATION_ERROR, "planned");
    return null;
  }

  /** FAULTS 17: a channel may be quiet for ever; a connection is alive while its peer answers. */
  @Test
  void shouldKeepAQuietChannelForLongerThanTheSilenceLimit() throws Exception {
    Duration silence = Duration.ofSeconds(3);
    Events events = new Events();
    Transport producers = node(options -> options.heartbeat(silence.dividedBy(10)));
    Transport consumers =
        node(
            options ->
                options
                    .heartbeat(silence.dividedBy(10))
                    .silenceLimit(silence)
                    .openTimeout(silence.dividedBy(2))
                    .handshakeTimeout(silence.dividedBy(2))
                    .listener(events));
    OutputGate out = output(producers, 1, 0, 1);
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    Received received = new Received();
    send(out, 0, message(0, MESSAGE_BYTES));
    pollUntil(in, received, () -> received.messages(0).size() == 1);
    long quietUntil = System.nanoTime() + silence.toNanos() * 4 / 3;
    pollUntil(in, received, () -> System.nanoTime() - quietUntil > 0);
    send(out, 0, message(1, MESSAGE_BYTES));
    CompletableFuture<?> finished = out.finish();
    pollToEnd(in, received);
    get(finished);
    assertThat(received.messages(0)).hasSize(2);
    assertThat(events.broken).filteredOn(event -> event.code() == ErrorCode.PEER_SILENT).isEmpty();
    assertThat(events.up).hasSize(consumers.snapshot().sessions().get(0).lanes());
  }

  /** FAULTS 18. */
  @Test
  void shouldCarryAllChannelsBetweenTwoNodesOverTheLanesOfOneSession() throws Exception {
    int lanes = 3;
    int consumersCount = 300;
    Transport producers = node();
    Transport consumers = node(options -> options.lanes(lanes));
    try (Proxy proxy = new Proxy(bind(producers))) {
      OutputGate out = output(producers, 1, 0, consumersCount);
      Received received = new Received();
      List<InputGate> gates = new ArrayList<>();
      for (int consumer = 0; consumer < consumersCount; consumer++) {
        InputGate in = input(consumers, 1, consumer);
        in.addProducer(0, proxy.address());
        in.announceProducers(1);
        gates.add(in);
        send(out, consumer, message(consumer, MESSAGE_BYTES));
      }
      CompletableFuture<?> finished = out.finish();
      for (InputGate in : gates) {
        pollToEnd(in, received);
      }
      get(finished);
      assertThat(received.messages(0)).hasSize(consumersCount);
      assertThat(proxy.connections()).isEqualTo(lanes);
      assertThat(consumers.snapshot().sessions()).hasSize(1);
    }
  }

  /**
   * FAULTS 24: three stages in a ring hand each message on, on two nodes whose one budget is in the
   * hands of channels that nobody reads. What the ring's channels own suffices.
   */
  @Test
  void shouldMoveOnThroughACycleOfStagesWhileOthersHoldAllThatFloats() throws Exception {
    int stages = 3;
    int tokens = 4;
    int hops = 600;
    Transport[] nodes = {node(), node()};
    MemoryBudget[] budgets = {small(nodes[0]), small(nodes[1])};
    OutputGate stuck =
        nodes[0].openOutput(OutputGateOptions.builder(9, 0, 1).budget(budgets[0]).build());
    InputGate unread =
        nodes[1].openInput(InputGateOptions.builder(9, 0).budget(budgets[1]).build());
    var addresses = List.of(bind(nodes[0]), bind(nodes[1]));
    unread.addProducer(0, addresses.get(0));
    ByteBuffer filling = message(0, MESSAGE_BYTES);
    while (stuck.offer(0, filling, Duration.ofSeconds(1)) == OfferResult.ACCEPTED) {
      // Until neither credit nor log memory floats.
    }
    List<OutputGate> outs = new ArrayList<>();
    List<InputGate> ins = new ArrayList<>();
    for (int stage = 0; stage < stages; stage++) {
      int node = stage % 2;
      int before = (stage + stages - 1) % stages;
      outs.add(
          nodes[node].openOutput(
              OutputGateOptions.builder(stage, 0, 1).budget(budgets[node]).build()));
      InputGate in =
          nodes[node].openInput(InputGateOptions.builder(before, 0).budget(budgets[node]).build());
      in.addProducer(0, addresses.get(before % 2));
      ins.add(in);
    }
    for (int token = 0; token < tokens; token++) {
      send(outs.get(0), 0, message(token, MESSAGE_BYTES));
    }
    AtomicInteger handedOn = new AtomicInteger();
    List<Future<Void>> running = new ArrayList<>();
    for (int stage = 0; stage < stages; stage++) {
      OutputGate out = outs.get(stage);
      InputGate in = ins.get(stage);
      running.add(async(() -> handOn(in, out, handedOn, hops)));
    }
    await("the ring turns", () -> handedOn.get() >= hops);
    for (Future<Void> stage : running) {
      get(stage);
    }
  }

  /** The smallest floors for eight channels, and as much that floats. */
  private static MemoryBudget small(Transport node) {
    return node.createBudget(16 * 1024, 8);
  }

  private static Void handOn(InputGate in, OutputGate out, AtomicInteger handedOn, int hops)
      throws InterruptedException {
    while (handedOn.get() < hops) {
      in.poll(
          (producer, message) -> {
            try {
              send(out, 0, message);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            handedOn.incrementAndGet();
          },
          1,
          Duration.ofMillis(50));
    }
    return null;
  }
}

package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.TransportSnapshot.ChannelState;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the transport contracts share: nodes that are closed after each test, and small helpers. The
 * times in here only bound a test that hangs.
 */
@Timeout(120)
@ExtendWith(NothingLeft.class)
public abstract class TransportFixture {
  /** Longer than anything here takes on a busy machine. */
  protected static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Transport> nodes = new ArrayList<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "contract");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Options that all nodes of a test start from: what is being put to the test.
   *
   * @return a new builder
   */
  protected abstract TransportOptions.Builder options();

  /**
   * Checks after its close that a node has given back what it allocated.
   *
   * @param closed a closed node
   */
  protected void assertNothingHeld(Transport closed) {}

  @AfterEach
  final void closeNodes() {
    threads.shutdownNow();
    for (Transport node : nodes) {
      node.close(Duration.ZERO);
    }
    nodes.forEach(this::assertNothingHeld);
  }

  protected final Transport node() {
    return node(builder -> builder);
  }

  protected final Transport node(UnaryOperator<TransportOptions.Builder> changes) {
    Transport node = Transport.open(changes.apply(options()).build());
    nodes.add(node);
    return node;
  }

  protected static InetSocketAddress bind(Transport node) {
    return node.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  protected static OutputGate output(Transport node, long exchange, int producer, int consumers) {
    return node.openOutput(OutputGateOptions.builder(exchange, producer, consumers).build());
  }

  protected static InputGate input(Transport node, long exchange, int consumer) {
    return node.openInput(InputGateOptions.builder(exchange, consumer).build());
  }

  protected final <T> Future<T> async(Callable<T> task) {
    return threads.submit(task);
  }

  protected static <T> T get(Future<T> future) throws Exception {
    return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Waits for something that another thread brings about. */
  protected static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("never came: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Polls until the gate has ended. */
  protected static void pollToEnd(InputGate gate, MessageHandler handler)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!gate.isEnded()) {
      gate.poll(handler, 100, Duration.ofSeconds(1));
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("the gate did not end");
      }
    }
  }

  /** Polls until something is true. */
  protected static void pollUntil(InputGate gate, MessageHandler handler, BooleanSupplier condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      gate.poll(handler, 100, Duration.ofMillis(100));
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("what was polled for never came");
      }
    }
  }

  protected static void send(OutputGate gate, int consumer, ByteBuffer message)
      throws InterruptedException {
    assertThat(gate.offer(consumer, message, PATIENCE)).isEqualTo(OfferResult.ACCEPTED);
  }

  /** A message whose bytes follow from its number. */
  protected static ByteBuffer message(long number, int length) {
    ByteBuffer message = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      message.put(i, (byte) (number * 31 + i * 7L + (i >> 8)));
    }
    return message;
  }

  protected static void assertMessage(byte[] actual, long number, int length) {
    assertThat(actual).hasSize(length).isEqualTo(message(number, length).array());
  }

  /** Writes until there is no room; returns how many messages went in. */
  protected static int fill(OutputGate gate, int consumer, int length) {
    ByteBuffer message = message(0, length);
    int count = 0;
    while (gate.offer(consumer, message) == OfferResult.ACCEPTED) {
      count++;
    }
    assertThat(gate.offer(consumer, message)).isEqualTo(OfferResult.BACK_PRESSURED);
    return count;
  }

  /** Whether a node's snapshot shows a channel that waits for something. */
  protected static boolean waits(Transport node, int producer, int consumer, WaitsFor what) {
    return node.snapshot().channels().stream()
        .filter(c -> c.key().producer() == producer && c.key().consumer() == consumer)
        .map(ChannelState::waitsFor)
        .anyMatch(what::equals);
  }
}

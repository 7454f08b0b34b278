package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.Received;
import dev.penstock.transport.testkit.TransportFixture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Channels that are given up before anything came of them end once. */
class EarlyEndTest extends TransportFixture {
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<Outcome> closed = new CopyOnWriteArrayList<>();

  @Override
  protected TransportOptions.Builder options() {
    return TransportOptions.builder().eventLoops(1).lanes(1).listener(new HoldsTheLoop());
  }

  @Override
  protected void assertNothingHeld(Transport node) {
    Leaks.assertNothingHeld(node);
  }

  @AfterAll
  static void assertNoLeaks() {
    Leaks.assertNoneReported();
  }

  /** The loop does nothing from the moment a lane is up until it is released. */
  private final class HoldsTheLoop implements TransportListener {
    @Override
    public void onLaneUp(SocketAddress peer, int lane, boolean resumed) {
      held.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void onChannelClosed(
        ChannelKey channel, Direction direction, Outcome outcome, ErrorCode code) {
      closed.add(outcome);
    }
  }

  /** Returns the node's own address; its loop is busy. */
  private InetSocketAddress busy(Transport node) throws InterruptedException {
    InetSocketAddress own = bind(node);
    var unused = node.dial(own);
    held.await();
    return own;
  }

  @Test
  void shouldCountAProducerOnceThatIsStoppedBeforeItsChannelIsOpened() throws Exception {
    Transport node = node();
    InetSocketAddress own = busy(node);
    InputGate in = input(node, 1, 0);
    in.announceProducers(2);
    in.addProducer(0, own);
    in.stop(0);
    release.countDown();
    node.snapshot(); // when the loop has answered, it has come to the channel
    in.poll(new Received(), 10);
    assertThat(in.isEnded()).as("producer 1 has not come").isFalse();
    assertThat(closed).containsExactly(Outcome.STOPPED);
    assertThat(node.defaultBudget().inputBytesUsed()).isZero();
  }

  @Test
  void shouldEndAConsumerOnceThatIsGivenUpBeforeItsChannelIsOpened() throws Exception {
    Transport node = node();
    InetSocketAddress own = busy(node);
    OutputGate out = node.openOutput(OutputGateOptions.builder(1, 0, 1).pushTo(0, own).build());
    out.abort(ErrorCode.CANCELLED, "planned");
    release.countDown();
    node.snapshot();
    assertThat(out.outcome(0)).isEqualTo(Outcome.ABORTED);
    assertThat(closed).containsExactly(Outcome.ABORTED);
    assertThat(node.defaultBudget().outputBytesUsed()).isZero();
  }

  /** A newer attempt has the place: the gate that was refused has no such producer. */
  @Test
  void shouldNotCountAProducerThatIsRefused() throws Exception {
    release.countDown();
    Transport node = node();
    InputGate newer = node.openInput(InputGateOptions.builder(1, 0).attempt(2).build());
    newer.addProducer(0);
    long used = node.defaultBudget().inputBytesUsed();
    InputGate older = node.openInput(InputGateOptions.builder(1, 0).attempt(1).build());
    assertThatThrownBy(() -> older.addProducer(0))
        .isInstanceOfSatisfying(
            TransportException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
    older.announceProducers(1);
    Received received = new Received();
    older.poll(received, 10, Duration.ZERO);
    assertThat(older.isEnded()).isFalse();
    assertThat(received.failure(0)).isNull();
    assertThat(closed).isEmpty();
    assertThat(node.defaultBudget().inputBytesUsed()).isEqualTo(used);
  }
}

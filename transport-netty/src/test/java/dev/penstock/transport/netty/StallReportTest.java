package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import dev.penstock.transport.testkit.NothingLeft;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A consumer that does not take anything is reported, and reported again when it does. */
@ExtendWith(NothingLeft.class)
@Timeout(120)
class StallReportTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CountDownLatch stalled = new CountDownLatch(1);
  private final CountDownLatch resumed = new CountDownLatch(1);

  private TransportOptions options() {
    return TransportOptions.builder()
        .listener(
            new TransportListener() {
              @Override
              public void onChannelStalled(ChannelKey channel, long waitingBytes) {
                assertThat(waitingBytes).isPositive();
                stalled.countDown();
              }

              @Override
              public void onChannelResumed(ChannelKey channel) {
                resumed.countDown();
              }
            })
        .build();
  }

  @Test
  void shouldTellOfAChannelThatStallsAndMovesAgain() throws Exception {
    try (Transport producers = Transport.open(options());
        Transport consumers = Transport.open(TransportOptions.defaults())) {
      InetSocketAddress address =
          producers.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      check(producers, consumers, address);
    }
  }

  @Test
  void shouldTellOfAChannelInsideTheJvm() throws Exception {
    try (Transport node = Transport.open(options())) {
      check(node, node, node.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }
  }

  private void check(Transport producers, Transport consumers, InetSocketAddress address)
      throws InterruptedException {
    try (OutputGate out = producers.openOutput(OutputGateOptions.builder(1, 0, 1).build());
        InputGate in = consumers.openInput(InputGateOptions.builder(1, 0).build())) {
      in.addProducer(0, address);
      in.announceProducers(1);
      ByteBuffer message = ByteBuffer.allocate(10_000);
      while (out.offer(0, message, Duration.ofMillis(100)) == OfferResult.ACCEPTED) {
        // Until credit and log are full.
      }
      assertThat(stalled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(resumed.getCount()).isOne();
      assertThat(producers.snapshot().channels())
          .anyMatch(channel -> channel.waitsFor() == WaitsFor.CONSUMER);
      while (resumed.getCount() > 0) {
        in.poll((producer, bytes) -> {}, 10, PATIENCE);
        assertThat(out.offer(0, message)).isIn(OfferResult.ACCEPTED, OfferResult.BACK_PRESSURED);
      }
      var finished = out.finish(PATIENCE);
      while (!in.isEnded()) {
        in.poll((producer, bytes) -> {}, 100, PATIENCE);
      }
      finished.join().orThrow();
    }
  }
}

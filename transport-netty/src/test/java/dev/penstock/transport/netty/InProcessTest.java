package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.FinishResult;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Producer and consumer in one transport: no socket between them. */
@Timeout(60)
class InProcessTest {
  private static final int MESSAGES = 100_000;

  @Test
  void shouldMeetInsideTheNodeWhenBothGatesWait() throws Exception {
    try (Transport node = Transport.open(TransportOptions.defaults())) {
      OutputGate out = node.openOutput(OutputGateOptions.builder(1, 0, 1).build());
      InputGate in = node.openInput(InputGateOptions.builder(1, 0).build());
      in.addProducer(0);
      exchange(out, in);
      assertThat(node.snapshot().sessions()).hasSize(1);
    }
  }

  @Test
  void shouldTakeTheShortWayWhenTheOwnAddressIsDialed() throws Exception {
    try (Transport node = Transport.open(TransportOptions.defaults())) {
      InetSocketAddress own = node.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      InputGate in = node.openInput(InputGateOptions.builder(1, 0).build());
      in.addProducer(0, own);
      OutputGate out = node.openOutput(OutputGateOptions.builder(1, 0, 1).build());
      exchange(out, in);
    }
  }

  private static void exchange(OutputGate out, InputGate in) throws Exception {
    in.announceProducers(1);
    CompletableFuture<FinishResult> result =
        CompletableFuture.supplyAsync(
            () -> {
              ByteBuffer message = ByteBuffer.allocate(100);
              for (int i = 0; i < MESSAGES; i++) {
                message.putLong(0, i);
                message.limit(8 + i % 93);
                try {
                  assertThat(out.offer(0, message, Duration.ofSeconds(20)))
                      .isEqualTo(OfferResult.ACCEPTED);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
              return out.finish().join();
            });
    int[] next = new int[1];
    while (!in.isEnded()) {
      in.poll(
          (producer, bytes) -> {
            assertThat(bytes.remaining()).isEqualTo(8 + next[0] % 93);
            assertThat(bytes.getLong(bytes.position())).isEqualTo(next[0]++);
          },
          1000,
          Duration.ofSeconds(20));
    }
    assertThat(next[0]).isEqualTo(MESSAGES);
    result.get(10, TimeUnit.SECONDS).orThrow();
  }
}

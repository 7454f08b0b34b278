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

/** Two nodes in one JVM over loopback sockets. */
@Timeout(60)
class LoopbackTest {
  private static final long MESSAGES = 200_000;

  @Test
  void shouldCarryMessagesFromOneNodeToAnotherAndFinishWhenTheyAreTaken() throws Exception {
    try (Transport producers = Transport.open(TransportOptions.defaults());
        Transport consumers = Transport.open(TransportOptions.defaults())) {
      InetSocketAddress address =
          producers.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      OutputGate out = producers.openOutput(OutputGateOptions.builder(1, 0, 1).build());
      InputGate in = consumers.openInput(InputGateOptions.builder(1, 0).build());
      in.addProducer(0, address);
      in.announceProducers(1);
      CompletableFuture<FinishResult> result =
          CompletableFuture.supplyAsync(
              () -> {
                ByteBuffer message = ByteBuffer.allocateDirect(100);
                for (long i = 0; i < MESSAGES; i++) {
                  message.putLong(0, i);
                  try {
                    assertThat(out.offer(0, message, Duration.ofSeconds(20)))
                        .isEqualTo(OfferResult.ACCEPTED);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }
                return out.finish().join();
              });
      long[] next = new long[1];
      while (!in.isEnded()) {
        in.poll(
            (producer, bytes) -> {
              if (bytes.remaining() != 100 || bytes.getLong(bytes.position()) != next[0]) {
                throw new AssertionError("message " + next[0]);
              }
              next[0]++;
            },
            1000,
            Duration.ofSeconds(20));
      }
      assertThat(next[0]).isEqualTo(MESSAGES);
      result.get(10, TimeUnit.SECONDS).orThrow();
    }
  }
}

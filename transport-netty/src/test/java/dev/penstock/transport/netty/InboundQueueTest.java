package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InboundQueueTest {
  private final InboundFixture fixture = new InboundFixture();
  private final InboundQueue queue = fixture.queue();

  @AfterEach
  void nothingIsLeft() {
    fixture.close();
  }

  private void open(int channels, int frames, int recordsEach) {
    for (int i = 0; i < channels; i++) {
      fixture.incoming.open(i, queue);
      Outgoing sender = fixture.sender(i);
      byte[][] bodies = new byte[recordsEach][10];
      for (int frame = 0; frame < frames; frame++) {
        sender.frame(bodies);
      }
    }
    fixture.flush();
  }

  @Test
  void shouldGiveEachChannelAQuantumInTurn() {
    open(3, 5, 200);
    List<Object> turns = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    RecordHandler recorder =
        new ForwardingHandler(fixture.collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            int last = turns.size() - 1;
            if (last < 0 || !turns.get(last).equals(of.attachment())) {
              turns.add(of.attachment());
              lengths.add(0);
              last++;
            }
            lengths.set(last, lengths.get(last) + 1);
            return super.onRecord(of, kind, sequence, bytes);
          }
        };
    // Small polls, so that a quantum spans many of them.
    int total = 0;
    int handedOut;
    do {
      handedOut = queue.poll(recorder, 7);
      total += handedOut;
    } while (handedOut > 0);
    assertThat(total).isEqualTo(3000);
    assertThat(turns).containsExactly(0, 1, 2, 0, 1, 2);
    assertThat(lengths)
        .containsExactly(
            InboundDelivery.QUANTUM,
            InboundDelivery.QUANTUM,
            InboundDelivery.QUANTUM,
            1000 - InboundDelivery.QUANTUM,
            1000 - InboundDelivery.QUANTUM,
            1000 - InboundDelivery.QUANTUM);
  }

  @Test
  void shouldNeverHandOutMoreThanWasAskedFor() {
    open(2, 2, 100);
    for (int i = 0; i < 400; i++) {
      assertThat(queue.poll(fixture.collected, 1)).isEqualTo(1);
    }
    assertThat(queue.poll(fixture.collected, 1)).isZero();
  }

  @Test
  void shouldNotWaitWhenSomethingIsThere() throws InterruptedException {
    open(1, 1, 2);
    assertThat(queue.await(System.nanoTime())).isTrue();
    queue.poll(fixture.collected, 1);
    assertThat(queue.await(System.nanoTime())).isTrue();
    queue.poll(fixture.collected, 1);
    assertThat(queue.await(System.nanoTime())).isFalse();
  }

  @Test
  void shouldReturnFromAWaitAtTheDeadline() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5);
    assertThat(queue.await(deadline)).isFalse();
    assertThat(System.nanoTime() - deadline).isNotNegative();
  }

  @Test
  void shouldRememberASignalThatCameBeforeTheWait() throws InterruptedException {
    queue.signal();
    assertThat(queue.await(System.nanoTime())).isTrue();
    assertThat(queue.await(System.nanoTime())).isFalse();
  }

  @Test
  void shouldWakeAParkedConsumerBySignalAndByData() throws Exception {
    for (int i = 0; i < 2; i++) {
      CompletableFuture<Boolean> woken = new CompletableFuture<>();
      Thread consumer = awaitInThread(woken);
      parked(consumer);
      if (i == 0) {
        queue.signal();
      } else {
        open(1, 1, 1);
      }
      assertThat(woken.get(30, TimeUnit.SECONDS)).isTrue();
      consumer.join();
    }
    assertThat(queue.poll(fixture.collected, 10)).isEqualTo(1);
  }

  @Test
  void shouldLeaveTheWaitWhenTheThreadIsInterrupted() throws Exception {
    CompletableFuture<Boolean> woken = new CompletableFuture<>();
    Thread consumer = awaitInThread(woken);
    parked(consumer);
    consumer.interrupt();
    assertThatThrownBy(() -> woken.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);
    consumer.join();
  }

  private Thread awaitInThread(CompletableFuture<Boolean> woken) {
    Thread consumer =
        new Thread(
            () -> {
              try {
                woken.complete(queue.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(60)));
              } catch (InterruptedException e) {
                woken.completeExceptionally(e);
              }
            },
            "consumer");
    consumer.start();
    return consumer;
  }

  private static void parked(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldHoldTenThousandChannelsInLittleMemory() {
    int channels = 10_000;
    open(channels, 1, 1);
    assertThat(queue.copied().get()).isLessThanOrEqualTo(channels * 256L);
    int polled = 0;
    while (polled < channels) {
      polled += queue.poll(fixture.collected, 1000);
    }
    assertThat(fixture.collected.size()).isEqualTo(channels);
    assertThat(queue.copied()).hasValue(0);
  }
}

package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.Received;
import dev.penstock.transport.testkit.TransportFixture;
import dev.penstock.transport.wire.Sofh;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real sockets with a network in between that cuts, stalls, splits and damages. */
class BrokenConnectionTest extends TransportFixture {
  private Wiring wiring = Wiring.SBE_EPOLL;

  @Override
  protected TransportOptions.Builder options() {
    return wiring.options();
  }

  @Override
  protected void assertNothingHeld(Transport closed) {
    Leaks.assertNothingHeld(closed);
  }

  @AfterAll
  static void assertNoLeaks() {
    Leaks.assertNoneReported();
  }

  /** Consumers take numbered messages and check that each is the next. */
  private static final class Counted {
    final AtomicLong taken = new AtomicLong();

    void onMessage(int producer, ByteBuffer message) {
      long number = message.getLong(message.position());
      if (number != taken.get()) {
        throw new AssertionError("message " + number + " came, expected " + taken.get());
      }
      taken.incrementAndGet();
    }
  }

  /** FAULTS 9, 10, 21. */
  @ParameterizedTest
  @EnumSource(names = {"SBE_EPOLL", "SBE_NIO", "SBE_NIO_TLS"})
  void shouldLoseAndDuplicateNothingWhenConnectionsAreCutAHundredTimes(Wiring how)
      throws Exception {
    wiring = how;
    int channels = 3;
    Transport producers = node();
    Events events = new Events();
    Transport consumers = node(options -> options.listener(events));
    try (Proxy proxy = new Proxy(bind(producers))) {
      OutputGate out = output(producers, 1, 0, channels);
      AtomicBoolean enough = new AtomicBoolean();
      List<Counted> counted = new ArrayList<>();
      List<Future<Void>> polled = new ArrayList<>();
      for (int consumer = 0; consumer < channels; consumer++) {
        InputGate in = input(consumers, 1, consumer);
        in.addProducer(0, proxy.address());
        in.announceProducers(1);
        Counted count = new Counted();
        counted.add(count);
        polled.add(
            async(
                () -> {
                  pollToEnd(in, count::onMessage);
                  return null;
                }));
      }
      Future<Long> sent =
          async(
              () -> {
                ByteBuffer message = ByteBuffer.allocate(200);
                long number = 0;
                while (!enough.get()) {
                  message.putLong(0, number++);
                  for (int consumer = 0; consumer < channels; consumer++) {
                    send(out, consumer, message);
                  }
                }
                return number;
              });
      long seen = 0;
      int cuts = 100;
      for (int cut = 0; cut < cuts; cut++) {
        long next = seen + 100;
        String what = "progress after cut " + cut;
        await(what, () -> counted.stream().allMatch(count -> count.taken.get() >= next));
        seen = counted.stream().mapToLong(count -> count.taken.get()).max().orElseThrow();
        proxy.cut();
      }
      enough.set(true);
      long total = get(sent);
      get(out.finish()).orThrow();
      for (int consumer = 0; consumer < channels; consumer++) {
        get(polled.get(consumer));
        assertThat(counted.get(consumer).taken).hasValue(total);
      }
      assertThat(events.lost).isEmpty();
      assertThat(consumers.snapshot().sessions().get(0).resumes()).isGreaterThanOrEqualTo(cuts);
    }
  }

  /** FAULTS 16. */
  @Test
  void shouldNoticeASilentPeerOnBothSidesAndGoOnWhenItSpeaksAgain() throws Exception {
    Events producerEvents = new Events();
    Events consumerEvents = new Events();
    Transport producers = node(options -> quick(options).listener(producerEvents));
    Transport consumers = node(options -> quick(options).listener(consumerEvents));
    try (Proxy proxy = new Proxy(bind(producers))) {
      OutputGate out = output(producers, 1, 0, 1);
      InputGate in = input(consumers, 1, 0);
      in.addProducer(0, proxy.address());
      in.announceProducers(1);
      Received received = new Received();
      send(out, 0, message(0, 10));
      pollUntil(in, received, () -> received.messages(0).size() == 1);
      proxy.stall(true);
      send(out, 0, message(1, 10));
      await("the producer's side", () -> Events.has(producerEvents.broken, ErrorCode.PEER_SILENT));
      await("the consumer's side", () -> Events.has(consumerEvents.broken, ErrorCode.PEER_SILENT));
      assertThat(out.outcome(0)).isNull();
      proxy.stall(false);
      CompletableFuture<?> finished = out.finish();
      pollToEnd(in, received);
      get(finished);
      assertThat(received.messages(0)).hasSize(2);
      assertThat(producerEvents.lost).isEmpty();
      assertThat(consumerEvents.lost).isEmpty();
    }
  }

  private static TransportOptions.Builder quick(TransportOptions.Builder options) {
    return options
        .heartbeat(Duration.ofMillis(200))
        .silenceLimit(Duration.ofMillis(1_500))
        .handshakeTimeout(Duration.ofSeconds(2));
  }

  /** FAULTS 8, 16. */
  @Test
  void shouldLoseTheSessionWhenItIsNotResumedInItsWindow() throws Exception {
    Events producerEvents = new Events();
    Events consumerEvents = new Events();
    Duration window = Duration.ofMillis(500);
    Transport producers =
        node(options -> quick(options).resumeWindow(window).listener(producerEvents));
    Transport consumers =
        node(options -> quick(options).resumeWindow(window).listener(consumerEvents));
    try (Proxy proxy = new Proxy(bind(producers))) {
      OutputGate out = output(producers, 1, 0, 2);
      InputGate in = input(consumers, 1, 0);
      in.addProducer(0, proxy.address());
      in.announceProducers(1);
      Received received = new Received();
      send(out, 0, message(0, 10));
      pollUntil(in, received, () -> received.messages(0).size() == 1);
      proxy.refuse(true);
      pollToEnd(in, received);
      assertThat(received.failure(0).code()).isEqualTo(ErrorCode.SESSION_LOST);
      await("the producer's channel", () -> out.outcome(0) != null);
      assertThat(out.outcome(0)).isEqualTo(Outcome.FAILED);
      assertThat(out.failure(0).code()).isEqualTo(ErrorCode.SESSION_LOST);
      await("producer's host", () -> Events.has(producerEvents.lost, ErrorCode.SESSION_LOST));
      await("consumer's host", () -> Events.has(consumerEvents.lost, ErrorCode.SESSION_LOST));
      // The next consumer begins a new session.
      proxy.refuse(false);
      InputGate next = input(consumers, 1, 1);
      next.addProducer(0, proxy.address());
      next.announceProducers(1);
      CompletableFuture<?> finished = out.finish();
      pollToEnd(next, received);
      get(finished);
      assertThat(out.outcome(1)).isEqualTo(Outcome.FINISHED);
    }
  }

  @Test
  void shouldReportAnUnknownOutcomeWhenTheSessionIsLostWhileFinishing() throws Exception {
    Transport producers = node(options -> quick(options).resumeWindow(Duration.ofMillis(300)));
    Transport consumers = node(options -> quick(options).resumeWindow(Duration.ofMillis(300)));
    try (Proxy proxy = new Proxy(bind(producers))) {
      OutputGate out = output(producers, 1, 0, 1);
      InputGate in = input(consumers, 1, 0);
      in.addProducer(0, proxy.address());
      send(out, 0, message(0, 10));
      CompletableFuture<?> finished = out.finish();
      await(
          "all is sent",
          () ->
              waits(
                  producers, 0, 0, dev.penstock.transport.TransportSnapshot.WaitsFor.CONFIRMATION));
      proxy.refuse(true);
      get(finished);
      assertThat(out.outcome(0)).isEqualTo(Outcome.UNKNOWN);
    }
  }

  @Test
  void shouldKeepASessionThatBreaksWhenOnlyTheDialerHasHeardReady() throws Exception {
    Events producerEvents = new Events();
    Events consumerEvents = new Events();
    Transport producers = node(options -> options.listener(producerEvents));
    Transport consumers = node(options -> options.listener(consumerEvents));
    try (Proxy proxy = new Proxy(bind(producers))) {
      Proxy.Filter first = new NothingBehindProof();
      proxy.filter(
          (connection, fromDialer, bytes, out) -> {
            if (connection == 0) {
              first.pass(connection, fromDialer, bytes, out);
            } else {
              await("the break is seen", () -> !producerEvents.broken.isEmpty());
              out.write(bytes);
            }
          });
      OutputGate out = output(producers, 1, 0, 1);
      InputGate in = input(consumers, 1, 0);
      in.addProducer(0, proxy.address());
      in.announceProducers(1);
      await("the dialer's lane is up", () -> !consumerEvents.up.isEmpty());
      assertThat(producerEvents.up).isEmpty();
      proxy.cut();
      send(out, 0, message(0, 10));
      CompletableFuture<?> finished = out.finish();
      Received received = new Received();
      pollToEnd(in, received);
      get(finished);
      assertThat(received.messages(0)).hasSize(1);
      assertThat(out.outcome(0)).isEqualTo(Outcome.FINISHED);
      assertThat(producerEvents.lost).isEmpty();
      assertThat(consumerEvents.lost).isEmpty();
    }
  }

  /** Of what the dialer says it hands on HELLO and PROOF only. */
  private static final class NothingBehindProof implements Proxy.Filter {
    private static final int FRAMES = 2;

    private byte[] came = new byte[0];
    private int frames;

    @Override
    public void pass(int connection, boolean fromDialer, byte[] bytes, OutputStream out)
        throws IOException {
      if (!fromDialer) {
        out.write(bytes);
        return;
      }
      int before = came.length;
      came = Arrays.copyOf(came, before + bytes.length);
      System.arraycopy(bytes, 0, came, before, bytes.length);
      while (frames < FRAMES && came.length >= Sofh.LENGTH) {
        int length = (int) Sofh.frameLength(ByteBuffer.wrap(came), 0);
        if (came.length < length) {
          return;
        }
        out.write(came, 0, length);
        came = Arrays.copyOfRange(came, length, came.length);
        frames++;
      }
    }
  }

  @Test
  void shouldTakeFramesByteByByte() throws Exception {
    assertExchange(
        (connection, fromDialer, bytes, out) -> {
          for (byte one : bytes) {
            out.write(one);
          }
        },
        100);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldSurviveConnectionsThatBreakInsideAnyFrame(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    AtomicLong left = new AtomicLong(250_000);
    assertExchange(
        (connection, fromDialer, bytes, out) -> {
          if (left.addAndGet(-bytes.length) < 0) {
            synchronized (random) {
              left.set(random.nextInt(200_000, 400_000));
              out.write(bytes, 0, random.nextInt(bytes.length));
            }
            out.flush();
            throw new IOException("planned");
          }
          out.write(bytes);
        },
        20_000);
  }

  private void assertExchange(Proxy.Filter filter, int messages) throws Exception {
    Transport producers = node();
    Transport consumers = node();
    try (Proxy proxy = new Proxy(bind(producers))) {
      proxy.filter(filter);
      OutputGate out = output(producers, 1, 0, 1);
      InputGate in = input(consumers, 1, 0);
      in.addProducer(0, proxy.address());
      in.announceProducers(1);
      Received received = new Received();
      Future<Void> polled =
          async(
              () -> {
                pollToEnd(in, received);
                return null;
              });
      for (int i = 0; i < messages; i++) {
        send(out, 0, message(i, 100));
      }
      get(out.finish()).orThrow();
      get(polled);
      assertThat(received.messages(0)).hasSize(messages);
      int next = 0;
      for (byte[] message : received.messages(0)) {
        assertMessage(message, next++, 100);
      }
    }
  }

  /** A flipped bit costs a connection or a channel, and never shows in a message. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void shouldNeverHandOutDamagedData(long seed) throws Exception {
    Transport producers =
        node(options -> quick(options).resumeWindow(Duration.ofSeconds(5)).lanes(1));
    Transport consumers =
        node(options -> quick(options).resumeWindow(Duration.ofSeconds(5)).lanes(1));
    try (Proxy proxy = new Proxy(bind(producers))) {
      proxy.filter(new Damage(seed));
      OutputGate out = output(producers, 1, 0, 1);
      InputGate in = input(consumers, 1, 0);
      in.addProducer(0, proxy.address());
      in.announceProducers(1);
      Received received = new Received();
      Future<Void> sent =
          async(
              () -> {
                for (int i = 0; i < 20_000 && out.outcome(0) == null; i++) {
                  var unused = out.offer(0, message(i, i % 500), PATIENCE);
                }
                return null;
              });
      Future<Void> polled =
          async(
              () -> {
                pollToEnd(in, received);
                return null;
              });
      get(sent);
      var result = get(out.finish(Duration.ofSeconds(30)));
      get(polled);
      int next = 0;
      for (byte[] message : received.messages(0)) {
        assertMessage(message, next, next % 500);
        next++;
      }
      if (result.outcomes().get(0) == Outcome.FINISHED) {
        assertThat(next).isEqualTo(20_000);
      } else {
        assertThat(result.failures().get(0)).isNotNull();
      }
    }
  }

  /** Flips a bit now and then, once the connection is trusted. */
  private static final class Damage implements Proxy.Filter {
    private final SplittableRandom random;
    private long until;

    Damage(long seed) {
      random = new SplittableRandom(seed);
      until = random.nextInt(2_000, 500_000);
    }

    @Override
    public synchronized void pass(
        int connection, boolean fromDialer, byte[] bytes, OutputStream out) throws IOException {
      until -= bytes.length;
      if (until < 0) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        until = random.nextInt(100_000, 1_000_000);
      }
      out.write(bytes);
    }
  }
}

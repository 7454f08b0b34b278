package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.TransportFixture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A peer's process is killed, or frozen with its sockets open. What is configured here is a small
 * part of the defaults, and the patience is less than those: who ignores the options fails.
 */
@Tag("sockets-long")
class LostPeerTest extends TransportFixture {
  private static final Duration NOTICED = Duration.ofSeconds(30);
  private static final Duration SILENCE = Duration.ofSeconds(2);
  private static final Duration HANDSHAKE = Duration.ofSeconds(3);
  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofMinutes(2);

  private final Events events = new Events();

  /** Which end of the channel it happens to; the consumer is the one that dials. */
  enum Victim {
    PRODUCER,
    CONSUMER
  }

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

  static TransportOptions.Builder quick(TransportOptions.Builder options, Duration resumeWindow) {
    return options
        .heartbeat(Duration.ofMillis(200))
        .silenceLimit(SILENCE)
        .handshakeTimeout(HANDSHAKE)
        .resumeWindow(resumeWindow);
  }

  static boolean isAccepted(OfferResult result) {
    return result == OfferResult.ACCEPTED;
  }

  /** The victim's process, this node, and the channel between them, in use. */
  private final class Exchange implements AutoCloseable {
    final ChildJvm victim;
    private final OutputGate out;
    private final InputGate in;
    private final CountedMessages received = new CountedMessages();
    private final Future<Long> busy;
    private volatile boolean enough;

    Exchange(Victim which, Duration window) throws Exception {
      Transport survivor = node(options -> quick(options, window).listener(events));
      if (which == Victim.CONSUMER) {
        out = output(survivor, 1, 0, 1);
        in = null;
        victim = start(window, bind(survivor).getPort());
        busy = async(this::write);
        victim.await("FIRST", PATIENCE);
      } else {
        victim = start(window);
        out = null;
        in = input(survivor, 1, 0);
        int port = Integer.parseInt(victim.await("BOUND", PATIENCE));
        in.addProducer(0, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in.announceProducers(1);
        busy = async(this::read);
        TransportFixture.await("the first message", () -> received.taken() > 0);
      }
    }

    private static ChildJvm start(Object... arguments) throws Exception {
      return ChildJvm.start("victim", LostPeerNode.class, List.of(), arguments);
    }

    private long write() throws InterruptedException {
      ByteBuffer message = ByteBuffer.allocate(100);
      long written = 0;
      while (out.outcome(0) == null && !enough) {
        message.putLong(0, written);
        if (isAccepted(out.offer(0, message, NOTICED))) {
          written++;
        }
      }
      return written;
    }

    private long read() throws InterruptedException {
      while (!in.isEnded()) {
        in.poll(received, 100, NOTICED);
      }
      return received.taken();
    }

    /** Why the channel failed at this end. */
    ErrorCode failure() throws Exception {
      get(busy);
      if (out != null) {
        assertThat(out.outcome(0)).isEqualTo(Outcome.FAILED);
        return out.failure(0).code();
      }
      return received.failure().code();
    }

    /** Ends the exchange in order; the counts of both ends. */
    List<Long> finish() throws Exception {
      enough = true;
      if (out != null) {
        long written = get(busy);
        get(out.finish()).orThrow();
        return List.of(written, Long.parseLong(victim.await("TAKEN", PATIENCE)));
      }
      victim.say("enough");
      return List.of(Long.parseLong(victim.await("WRITTEN", PATIENCE)), get(busy));
    }

    @Override
    public void close() {
      victim.close();
    }
  }

  private static void await(ErrorCode code, List<Events.Event> events) {
    long deadline = System.nanoTime() + NOTICED.toNanos();
    while (!Events.has(events, code)) {
      assertThat(System.nanoTime() - deadline).as("time to notice " + code).isNegative();
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  /** FAULTS 3, 8, 16. */
  @ParameterizedTest
  @EnumSource
  void shouldFailTheChannelsOfAPeerThatIsKilled(Victim which) throws Exception {
    try (Exchange exchange = new Exchange(which, SHORT)) {
      exchange.victim.signal("KILL");
      await(ErrorCode.SESSION_LOST, events.lost);
      assertThat(exchange.failure()).isEqualTo(ErrorCode.SESSION_LOST);
      assertThat(events.broken).extracting(Events.Event::code).contains(ErrorCode.PEER_UNREACHABLE);
      assertThat(events.closed).hasSize(1);
    }
  }

  /** FAULTS 3, 8, 16. */
  @ParameterizedTest
  @EnumSource
  void shouldFailTheChannelsOfAPeerThatGoesSilentOnBothSides(Victim which) throws Exception {
    try (Exchange exchange = new Exchange(which, SHORT)) {
      exchange.victim.signal("STOP");
      await(ErrorCode.PEER_SILENT, events.broken);
      await(ErrorCode.SESSION_LOST, events.lost);
      assertThat(exchange.failure()).isEqualTo(ErrorCode.SESSION_LOST);
      assertThat(events.closed).hasSize(1);
      // The other side finds out when it wakes up.
      exchange.victim.signal("CONT");
      assertThat(exchange.victim.await("ENDED", NOTICED)).isEqualTo("SESSION_LOST");
      exchange.victim.await("DONE", PATIENCE);
      assertThat(exchange.victim.exitCode(PATIENCE)).as(exchange.victim.output()).isZero();
    }
  }

  /** FAULTS 9, 16, 21. */
  @ParameterizedTest
  @EnumSource
  void shouldGoOnWithAPeerThatWasSilentForAWhile(Victim which) throws Exception {
    try (Exchange exchange = new Exchange(which, LONG)) {
      exchange.victim.signal("STOP");
      await(ErrorCode.PEER_SILENT, events.broken);
      exchange.victim.signal("CONT");
      TransportFixture.await(
          "the connection resumes",
          () -> events.up.stream().anyMatch(event -> event.reason().endsWith("resumed")));
      List<Long> counts = exchange.finish();
      assertThat(counts.get(0)).isPositive().isEqualTo(counts.get(1));
      assertThat(exchange.victim.await("ENDED", PATIENCE)).isEqualTo("FINISHED");
      exchange.victim.await("DONE", PATIENCE);
      assertThat(Events.has(events.lost, ErrorCode.SESSION_LOST)).isFalse();
    }
  }
}

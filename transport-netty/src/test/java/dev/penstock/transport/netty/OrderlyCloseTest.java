package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.FinishResult;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.Received;
import dev.penstock.transport.testkit.TransportFixture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node that closes takes leave of those that dialed it: they do not try to resume, which would
 * take longer than these tests wait.
 */
class OrderlyCloseTest extends TransportFixture {
  private static final int LANES = 2;

  private final Events events = new Events();
  private Wiring wiring = Wiring.SBE_NIO;

  @Override
  protected TransportOptions.Builder options() {
    return wiring.options().resumeWindow(PATIENCE.multipliedBy(10)).lanes(LANES);
  }

  @Override
  protected void assertNothingHeld(Transport closed) {
    Leaks.assertNothingHeld(closed);
  }

  @AfterAll
  static void assertNoLeaks() {
    Leaks.assertNoneReported();
  }

  private Transport dialer() {
    return node(options -> options.listener(events));
  }

  /** One that comes when the peer has forgotten the session ends it otherwise. */
  private void awaitLanes() {
    await("all lanes", () -> events.up.size() == LANES);
  }

  /** The session ended as one that was told so, and once. */
  private void assertLeft(Transport dialer) {
    await("the end of the session", () -> dialer.snapshot().sessions().isEmpty());
    assertThat(events.lost)
        .singleElement()
        .satisfies(lost -> assertThat(lost.code()).isEqualTo(ErrorCode.SHUTTING_DOWN));
  }

  @ParameterizedTest
  @MethodSource("dev.penstock.transport.netty.Wiring#available")
  void shouldEndAnIdleSessionAtOnceAndDialAgainWhenThereIsSomethingToDo(Wiring how)
      throws Exception {
    wiring = how;
    Transport acceptor = node();
    Transport dialer = dialer();
    InetSocketAddress address = bind(acceptor);
    get(dialer.dial(address));
    awaitLanes();
    acceptor.close(PATIENCE);
    assertLeft(dialer);
    node().bind(address);
    get(dialer.dial(address));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 60})
  void shouldEndAnIdleSessionHoweverLongItMayDrain(long seconds) throws Exception {
    Transport acceptor = node();
    Transport dialer = dialer();
    get(dialer.dial(bind(acceptor)));
    awaitLanes();
    acceptor.close(Duration.ofSeconds(seconds));
    assertLeft(dialer);
  }

  /** A socket that is closed with unread bytes takes along what was written. */
  @ParameterizedTest
  @MethodSource("dev.penstock.transport.netty.Wiring#available")
  void shouldTellAPeerThatIsSending(Wiring how) throws Exception {
    wiring = how;
    Transport acceptor = node();
    Transport dialer = dialer();
    OutputGate out =
        dialer.openOutput(OutputGateOptions.builder(1, 0, 1).pushTo(0, bind(acceptor)).build());
    InputGate in =
        acceptor.openInput(
            InputGateOptions.builder(1, 0).loopHandler((producer, bytes) -> {}).build());
    in.addProducer(0);
    awaitLanes();
    Future<?> sending =
        async(
            () -> {
              while (out.offer(0, message(0, 10_000), PATIENCE) == OfferResult.ACCEPTED) {}
              return null;
            });
    await("data", () -> acceptor.snapshot().channels().stream().anyMatch(c -> c.sent() > 1 << 20));
    acceptor.close(Duration.ZERO);
    assertLeft(dialer);
    get(sending);
    assertThat(out.failure(0).code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
  }

  /** The last confirmation of the last channel is the last thing that a lane says. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldEndASessionThatHasDrained(boolean acceptorSends) throws Exception {
    Transport acceptor = node();
    Transport dialer = dialer();
    InetSocketAddress address = bind(acceptor);
    OutputGateOptions.Builder options = OutputGateOptions.builder(1, 0, 1);
    OutputGate out =
        acceptorSends
            ? acceptor.openOutput(options.build())
            : dialer.openOutput(options.pushTo(0, address).build());
    InputGate in = input(acceptorSends ? dialer : acceptor, 1, 0);
    if (acceptorSends) {
      in.addProducer(0, address);
    } else {
      in.addProducer(0);
    }
    in.announceProducers(1);
    send(out, 0, message(0, 100));
    Received received = new Received();
    pollUntil(in, received, () -> received.messages(0).size() == 1);
    awaitLanes();
    Future<?> closing =
        async(
            () -> {
              acceptor.close(PATIENCE);
              return null;
            });
    Future<FinishResult> finished = out.finish();
    pollToEnd(in, received);
    get(finished).orThrow();
    get(closing);
    assertLeft(dialer);
  }
}

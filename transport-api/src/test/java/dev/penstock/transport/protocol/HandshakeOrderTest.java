package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.Encounter.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.SaidFrames.Said;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Only HELLO, WELCOME, PROOF, GOAWAY, each in its place. */
class HandshakeOrderTest {
  private static final Encounter HONEST = Encounter.first(SECRET, SECRET).run();
  private static final Hello HELLO = HONEST.byDialer.hello();
  private static final Welcome WELCOME = HONEST.byAcceptor.welcome();
  private static final Octets PROOF = HONEST.byDialer.proof();

  private final SaidFrames said = new SaidFrames();

  static Stream<String> kinds() {
    return frameMethods().map(Method::getName);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldRefuseAnAcceptorThatBeginsWithAnythingButWelcome(String kind) {
    DialerHandshake dialer = startedDialer();

    frame(kind).sayTo(dialer);

    switch (kind) {
      case "welcome" -> assertThat(Encounter.trust(dialer).version()).isEqualTo(1);
      case "goAway" -> assertThat(Encounter.refusal(dialer).code()).isEqualTo(ErrorCode.INTERNAL);
      default -> assertViolation(dialer, "expected WELCOME");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldRefuseADialerThatBeginsWithAnythingButHello(String kind) {
    AcceptorHandshake acceptor = startedAcceptor();

    frame(kind).sayTo(acceptor);

    switch (kind) {
      case "hello" -> assertThat(Encounter.undecided(acceptor)).isTrue();
      case "goAway" -> assertThat(Encounter.refusal(acceptor).code()).isEqualTo(ErrorCode.INTERNAL);
      default -> assertViolation(acceptor, "expected HELLO");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldRefuseADialerThatFollowsHelloWithAnythingButProof(String kind) {
    AcceptorHandshake acceptor = startedAcceptor();
    acceptor.hello(HELLO);

    frame(kind).sayTo(acceptor);

    switch (kind) {
      case "proof" -> assertThat(Encounter.trust(acceptor).version()).isEqualTo(1);
      case "goAway" -> assertThat(Encounter.refusal(acceptor).code()).isEqualTo(ErrorCode.INTERNAL);
      default -> assertViolation(acceptor, "expected PROOF");
    }
  }

  @Test
  void shouldOnlyFailTheAttemptOnAGoAwayBeforeTrust() {
    DialerHandshake dialer = startedDialer();

    dialer.goAway(ErrorCode.SESSION_LOST, "a\nforged line", false);

    assertThat(Encounter.refusal(dialer).code()).isEqualTo(ErrorCode.SESSION_LOST);
    assertThat(Encounter.refusal(dialer).retryable()).isTrue();
    assertThat(Encounter.refusal(dialer).sessionUnknown()).isFalse();
    assertThat(Encounter.refusal(dialer).text()).endsWith("refused the handshake: a?forged line");
    assertThat(said.kinds()).containsExactly("hello");
  }

  @Test
  void shouldDropWhatComesAfterARefusal() {
    AcceptorHandshake acceptor = startedAcceptor();
    acceptor.ping(1);
    HandshakeOutcome refused = acceptor.outcome();

    acceptor.hello(HELLO);
    acceptor.proof(PROOF);
    acceptor.goAway(ErrorCode.INTERNAL, "", false);

    assertThat(acceptor.outcome()).isSameAs(refused);
    assertThat(said.kinds()).containsExactly("goAway");
  }

  @ParameterizedTest
  @CsvSource({
    "nodeId, node id is 0",
    "nonce, nonce",
    "longName, name",
    "controlName, name",
    "versions, lowest version"
  })
  void shouldRefuseAMalformedHello(String what, String text) {
    AcceptorHandshake acceptor = startedAcceptor();
    Hello bad =
        switch (what) {
          case "nodeId" -> Altered.with(Altered.with(HELLO, "nodeIdHigh", 0L), "nodeIdLow", 0L);
          case "nonce" -> Altered.with(HELLO, "nonce", Encounter.octets(31, 0));
          case "longName" -> Altered.with(HELLO, "nodeName", "n".repeat(100_000));
          case "controlName" -> Altered.with(HELLO, "nodeName", "a\u0000");
          default -> Altered.with(HELLO, "minVersion", 2);
        };

    acceptor.hello(bad);

    assertViolation(acceptor, text);
  }

  @ParameterizedTest
  @CsvSource({
    "nodeId, node id is 0",
    "nonce, nonce",
    "longName, name",
    "proof, proof of 0 or 32 bytes",
    "resumed, HELLO did not name"
  })
  void shouldRefuseAMalformedWelcome(String what, String text) {
    DialerHandshake dialer = startedDialer();
    Welcome bad =
        switch (what) {
          case "nodeId" -> Altered.with(Altered.with(WELCOME, "nodeIdHigh", 0L), "nodeIdLow", 0L);
          case "nonce" -> Altered.with(WELCOME, "nonce", Octets.EMPTY);
          case "longName" -> Altered.with(WELCOME, "nodeName", "n".repeat(100_000));
          case "proof" -> Altered.with(WELCOME, "proof", Encounter.octets(33, 0));
          default -> Altered.with(WELCOME, "resumed", true);
        };

    dialer.welcome(bad);

    assertViolation(dialer, text);
  }

  @ParameterizedTest
  @CsvSource({
    "version, 2, UNSUPPORTED_VERSION",
    "version, 0, UNSUPPORTED_VERSION",
    "maxFrameLength, 65537, PROTOCOL_VIOLATION",
    "maxFrameLength, 4095, PROTOCOL_VIOLATION",
    "maxFrameLength, -1, PROTOCOL_VIOLATION"
  })
  void shouldRefuseTermsBeyondTheOffer(String field, int value, ErrorCode code) {
    Encounter met = Encounter.first(SharedSecret.NONE, SharedSecret.NONE);
    met.onWelcome = welcome -> Altered.with(welcome, field, value);
    met.run();

    assertThat(met.dialerRefusal().code()).isEqualTo(code);
    assertThat(met.dialerRefusal().retryable()).isFalse();
    met.assertNobodyTrusts();
  }

  @Test
  void shouldRefuseFeaturesThatWereNotOffered() {
    HandshakeConfig open = Encounter.config(SharedSecret.NONE, 0b01);
    Encounter met = Encounter.of(open, open, Encounter.firstDial(0), SessionLookup.EMPTY);
    met.onWelcome = welcome -> Altered.with(welcome, "features", 0b11L);
    met.run();

    assertThat(met.dialerRefusal().code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
    met.assertNobodyTrusts();
  }

  @Test
  void shouldNeverTrustFramesInAnyOrderButTheRightOne() {
    long seed = Long.getLong("penstock.test.seed", System.nanoTime());
    System.out.println("HandshakeOrderTest: -Dpenstock.test.seed=" + seed);
    Random random = new Random(seed);
    List<String> kinds = kinds().toList();
    int trusted = 0;
    for (int round = 0; round < 20_000; round++) {
      AcceptorHandshake acceptor = startedAcceptor();
      StringBuilder order = new StringBuilder();
      for (int i = 0; i < 4 && Encounter.undecided(acceptor); i++) {
        String kind = kinds.get(random.nextInt(kinds.size()));
        order.append(kind).append(' ');
        frame(kind).sayTo(acceptor);
      }
      boolean right = order.toString().equals("hello proof ");
      assertThat(acceptor.outcome() instanceof HandshakeOutcome.Trusted)
          .as("%s, seed %d", order, seed)
          .isEqualTo(right);
      trusted += right ? 1 : 0;
    }
    assertThat(trusted).as("seed %d", seed).isPositive();
  }

  private DialerHandshake startedDialer() {
    DialerHandshake dialer =
        new DialerHandshake(Encounter.config(SECRET), Encounter.DIALER, Encounter.firstDial(0));
    dialer.start(said.recorder());
    return dialer;
  }

  private AcceptorHandshake startedAcceptor() {
    AcceptorHandshake acceptor =
        new AcceptorHandshake(
            Encounter.config(SECRET), Encounter.ACCEPTOR, Encounter.accept(0), SessionLookup.EMPTY);
    acceptor.start(said.recorder());
    return acceptor;
  }

  private void assertViolation(Handshake side, String text) {
    assertThat(Encounter.refusal(side).code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
    assertThat(Encounter.refusal(side).text()).contains(text);
    assertThat(said.goAwayCode()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
  }

  private static Stream<Method> frameMethods() {
    return Arrays.stream(Frames.class.getMethods())
        .filter(method -> Modifier.isAbstract(method.getModifiers()))
        .sorted(Comparator.comparing(Method::getName));
  }

  private static Said frame(String kind) {
    Method method = frameMethods().filter(m -> m.getName().equals(kind)).findFirst().orElseThrow();
    List<Object> arguments =
        Arrays.stream(method.getParameterTypes()).map(HandshakeOrderTest::argument).toList();
    return new Said(method, arguments);
  }

  private static Object argument(Class<?> type) {
    if (type == Hello.class) {
      return HELLO;
    } else if (type == Welcome.class) {
      return WELCOME;
    } else if (type == Octets.class) {
      return PROOF;
    } else if (type == Role.class) {
      return Role.SENDER;
    } else if (type == ErrorCode.class) {
      return ErrorCode.INTERNAL;
    } else if (type == String.class) {
      return "text";
    } else if (type == boolean.class) {
      return false;
    } else if (type == long.class) {
      return 0L;
    }
    return 0;
  }
}

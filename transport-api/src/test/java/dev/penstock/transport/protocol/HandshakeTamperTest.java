package dev.penstock.transport.protocol;

import static dev.penstock.transport.protocol.Encounter.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import java.lang.reflect.RecordComponent;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With a secret, nothing that either side says can be changed on the way. {@code
 * -Dpenstock.test.seed} replays.
 */
class HandshakeTamperTest {
  private static final int ROUNDS = 60;

  private long seed;
  private Random random;

  @BeforeEach
  void seed() {
    seed = Long.getLong("penstock.test.seed", System.nanoTime());
    random = new Random(seed);
    System.out.println("HandshakeTamperTest: -Dpenstock.test.seed=" + seed);
  }

  @ParameterizedTest(name = "resuming={0}")
  @ValueSource(booleans = {false, true})
  void shouldNoticeAnyChangeOfAnyFieldOfHello(boolean resuming) {
    for (RecordComponent field : Hello.class.getRecordComponents()) {
      for (int round = 0; round < ROUNDS; round++) {
        Encounter met = encounter(resuming);
        met.onHello = hello -> Altered.randomly(hello, field, random);
        met.run();
        assertRefused(met, field);
      }
    }
  }

  @ParameterizedTest(name = "resuming={0}")
  @ValueSource(booleans = {false, true})
  void shouldNoticeAnyChangeOfAnyFieldOfWelcome(boolean resuming) {
    for (RecordComponent field : Welcome.class.getRecordComponents()) {
      for (int round = 0; round < ROUNDS; round++) {
        Encounter met = encounter(resuming);
        met.onWelcome = welcome -> Altered.randomly(welcome, field, random);
        met.run();
        assertRefused(met, field);
        assertThat(met.byDialer.kinds()).as("seed %d", seed).containsExactly("hello", "goAway");
      }
    }
  }

  @ParameterizedTest(name = "resuming={0}")
  @ValueSource(booleans = {false, true})
  void shouldNoticeAnyChangedBitOfTheProof(boolean resuming) {
    for (int bit = 0; bit < 256; bit++) {
      int flipped = bit;
      Encounter met = encounter(resuming);
      met.onProof =
          proof -> {
            byte[] bytes = proof.toByteArray();
            bytes[flipped / 8] ^= (byte) (1 << flipped % 8);
            return Octets.copyOf(bytes);
          };
      met.run();
      assertThat(met.acceptorRefusal().text()).contains("proof");
    }
  }

  @ParameterizedTest(name = "resuming={0}")
  @ValueSource(booleans = {false, true})
  void shouldTrustWhatWasNotChanged(boolean resuming) {
    Encounter met = encounter(resuming).run();

    assertThat(met.dialerTrust().resumed()).isEqualTo(resuming);
    assertThat(met.acceptorTrust().resumed()).isEqualTo(resuming);
  }

  private void assertRefused(Encounter met, RecordComponent field) {
    assertThat(met.dialer.outcome())
        .as("field %s, seed %d", field.getName(), seed)
        .isInstanceOf(HandshakeOutcome.Refused.class);
    assertThat(met.acceptor.outcome())
        .as("field %s, seed %d", field.getName(), seed)
        .isInstanceOf(HandshakeOutcome.Refused.class);
  }

  private static Encounter encounter(boolean resuming) {
    HandshakeConfig config = Encounter.config(SECRET, 0b1);
    if (!resuming) {
      return Encounter.of(config, config, Encounter.firstDial(0), SessionLookup.EMPTY);
    }
    Encounter first = encounter(false).run();
    return Encounter.of(
        config,
        config,
        Encounter.resume(first.dialerTrust().session(), 0, 2),
        new OneSession(first.acceptorTrust().session()));
  }
}

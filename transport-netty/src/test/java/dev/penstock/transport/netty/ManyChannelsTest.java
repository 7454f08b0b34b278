package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ten thousand channels between two small JVMs, at default settings. */
@Tag("sockets-long")
@Timeout(600)
class ManyChannelsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final long BUDGET_BYTES = 32L << 20;
  private static final List<String> SMALL = List.of("-Xmx256m", "-XX:MaxDirectMemorySize=96m");

  /** FAULTS 4, 18, 20, 25. */
  @ParameterizedTest
  @CsvSource({"1, 10000, 4321, true", "100, 100, 42, false"})
  void shouldFinishTenThousandChannelsButThoseOfAConsumerThatNeverReads(
      int producers, int consumers, int stuck, boolean late) throws Exception {
    try (ChildJvm sender =
            start("producers", ManyChannelsProducer.class, producers, consumers, stuck);
        ChildJvm receiver =
            start(
                "consumers",
                ManyChannelsConsumer.class,
                sender.await("BOUND", PATIENCE),
                producers,
                consumers,
                stuck)) {
      List<String> measured = new ArrayList<>();
      measured.add("consumers empty " + receiver.await("EMPTY", PATIENCE));
      measured.add("producers idle " + await(sender, receiver, "IDLE"));
      measured.add("consumers idle " + receiver.await("IDLE", PATIENCE));
      sender.say("write");
      if (late) {
        // Every log is full and all credit is out before anybody reads.
        await(sender, receiver, "FULL");
      }
      receiver.say("poll");
      String written = await(sender, receiver, "WRITTEN");
      measured.add("producers, others done " + await(sender, receiver, "OTHERS"));
      measured.add("consumers, others done " + await(receiver, sender, "OTHERS"));
      assertOnlyStuck(sender, producers, stuck);
      assertOnlyStuck(receiver, producers, stuck);
      receiver.say("read");
      assertThat(await(receiver, sender, "READ")).isEqualTo(written);
      assertInBudget(sender);
      assertInBudget(receiver);
      await(receiver, sender, "DONE");
      await(sender, receiver, "DONE");
      assertThat(sender.exitCode(PATIENCE)).as(sender.output()).isZero();
      assertThat(receiver.exitCode(PATIENCE)).as(receiver.output()).isZero();
      report(written, measured);
    }
  }

  private static ChildJvm start(String name, Class<?> main, Object... arguments)
      throws IOException {
    return ChildJvm.start(name, main, SMALL, arguments);
  }

  /** A failure shows what both said. */
  private static String await(ChildJvm child, ChildJvm other, String word)
      throws InterruptedException {
    try {
      return child.await(word, PATIENCE);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + other.output(), e);
    }
  }

  /** Its snapshot shows each of the stuck consumer's channels and no other. */
  private static void assertOnlyStuck(ChildJvm child, int producers, int stuck)
      throws InterruptedException {
    List<String> expected = new ArrayList<>();
    for (int producer = 0; producer < producers; producer++) {
      expected.add("WAITS " + producer + " " + stuck);
    }
    assertThat(child.until("SNAPSHOT", PATIENCE))
        .as(child.output())
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static void assertInBudget(ChildJvm child) throws InterruptedException {
    long peak = Long.parseLong(child.await("PEAK", PATIENCE));
    assertThat(peak).isBetween(1L, BUDGET_BYTES);
  }

  @SuppressWarnings("SystemOut") // figures for who runs it
  private static void report(String written, List<String> measured) {
    System.out.println("exchanged " + written);
    measured.forEach(System.out::println);
  }
}

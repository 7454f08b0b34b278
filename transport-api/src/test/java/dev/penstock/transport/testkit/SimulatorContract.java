package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.sim.Coverage;
import dev.penstock.transport.testkit.sim.SimResult;
import dev.penstock.transport.testkit.sim.Simulation;
import dev.penstock.transport.wire.WireCodec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The protocol core over one codec in the simulator. Properties: {@code penstock.sim.seeds} says
 * how many seeds, {@code penstock.sim.seed} replays one, {@code penstock.sim.full} demands that
 * everything was exercised.
 */
@Tag("sim")
public abstract class SimulatorContract {
  /** Seeds below this are nobody's: named regressions use small numbers, too. */
  private static final long FIRST_SEED = 1;

  private static final int TAIL = 200;

  /** For tests of a codec. */
  protected SimulatorContract() {}

  /**
   * The codec.
   *
   * @return the same layout every time
   */
  protected abstract WireCodec codec();

  @Test
  void shouldKeepItsPromisesOnEverySeed() {
    Long one = Long.getLong("penstock.sim.seed");
    if (one != null) {
      check(one, new Coverage());
      return;
    }
    int seeds = Integer.getInteger("penstock.sim.seeds", 100);
    Coverage coverage = new Coverage();
    long events = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      events += check(seed, coverage);
    }
    if (Boolean.getBoolean("penstock.sim.full")) {
      System.out.printf(
          "Simulator over %s: %d seeds, each run twice, %d events%n%s",
          codec().name(), seeds, events, coverage.table());
      assertThat(coverage.missing()).as("never exercised in %d seeds", seeds).isEmpty();
    }
  }

  private long check(long seed, Coverage coverage) {
    SimResult first = Simulation.run(seed, codec(), false);
    if (first.failure() != null) {
      throw explained(seed, first.failure());
    }
    SimResult second = Simulation.run(seed, codec(), false);
    assertThat(second.hash()).as("trace of seed %d, run again", seed).isEqualTo(first.hash());
    coverage.add(first.coverage());
    return first.events();
  }

  private AssertionError explained(long seed, Throwable failure) {
    SimResult again = Simulation.run(seed, codec(), true);
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(" (replay with -Dpenstock.sim.seed=").append(seed);
    text.append("): ").append(failure.getMessage()).append(System.lineSeparator());
    int from = Math.max(0, again.tail().size() - TAIL);
    for (String line : again.tail().subList(from, again.tail().size())) {
      text.append(line).append(System.lineSeparator());
    }
    return new AssertionError(text.toString(), failure);
  }
}

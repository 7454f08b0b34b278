package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.sim.Coverage;
import dev.penstock.transport.testkit.sim.SimResult;
import dev.penstock.transport.testkit.sim.Simulation;
import dev.penstock.transport.wire.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The protocol core over one codec in the simulator. Properties: {@code penstock.sim.seeds} says
 * how many seeds, {@code penstock.sim.seed} replays one, {@code penstock.sim.full} prints how often
 * everything was exercised and demands that it was, however few the seeds are.
 */
@Tag("sim")
public abstract class SimulatorContract {
  private static final long FIRST_SEED = 1;

  /** So many seeds exercise everything. */
  private static final int ENOUGH = 200;

  /** For tests of a codec. */
  protected SimulatorContract() {}

  /**
   * The codec.
   *
   * @return the same layout every time
   */
  protected abstract WireCodec codec();

  @Test
  void shouldKeepItsPromisesOnEverySeed() throws InterruptedException {
    Long one = Long.getLong("penstock.sim.seed");
    if (one != null) {
      SimResult result = check(one);
      System.out.printf(
          "Simulator over %s: seed %d, run twice, %d events, trace %016x%n",
          codec().name(), one, result.events(), result.hash());
      return;
    }
    int seeds = Integer.getInteger("penstock.sim.seeds", ENOUGH);
    boolean full = Boolean.getBoolean("penstock.sim.full");
    Coverage coverage = new Coverage();
    long events = 0;
    for (SimResult result : checkAll(seeds)) {
      coverage.add(result.coverage());
      events += result.events();
    }
    if (full) {
      System.out.printf(
          "Simulator over %s: %d seeds, each run twice, %d events%n%s",
          codec().name(), seeds, events, coverage.table());
    }
    if (full || seeds >= ENOUGH) {
      assertThat(coverage.missing())
          .as("never exercised in %d seeds; %d seeds exercise everything", seeds, ENOUGH)
          .isEmpty();
    }
  }

  /** Seeds have nothing to do with each other: they run side by side. */
  private List<SimResult> checkAll(int seeds) throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<SimResult>> running = new ArrayList<>();
      for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
        long next = seed;
        running.add(threads.submit(() -> check(next)));
      }
      List<SimResult> results = new ArrayList<>();
      for (Future<SimResult> each : running) {
        results.add(each.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AssertionError failure) {
        throw failure;
      }
      throw new AssertionError(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private SimResult check(long seed) {
    SimResult first = Simulation.run(seed, codec(), false);
    if (first.failure() != null) {
      throw explained(seed, first.failure());
    }
    SimResult second = Simulation.run(seed, codec(), false);
    assertThat(second.hash()).as("trace of seed %d, run again", seed).isEqualTo(first.hash());
    return first;
  }

  private AssertionError explained(long seed, Throwable failure) {
    SimResult again = Simulation.run(seed, codec(), true);
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(" (replay with -Dpenstock.sim.seed=").append(seed);
    text.append("): ").append(failure.getMessage()).append(System.lineSeparator());
    for (String line : again.tail()) {
      text.append(line).append(System.lineSeparator());
    }
    return new AssertionError(text.toString(), failure);
  }
}

package dev.penstock.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.penstock.benchmarks.Workload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunnerOptionsTest {

  @Test
  void shouldRunAFewWorkloadsByDefault() {
    RunnerOptions options = RunnerOptions.parse(new String[] {"--profile=quick", "--workload="});

    assertEquals(List.of("W1/1x1", "W2/4x4", "W5/1x1"), names(options));
    assertEquals(3, options.repetitions());
    assertEquals(Duration.ofSeconds(12), options.warmUp());
    assertFalse(options.resume());
    assertEquals("mvn -q -Pbench verify", options.command());
  }

  @Test
  void shouldRunEverythingInAFullRun() {
    RunnerOptions options = RunnerOptions.parse(new String[] {"--profile=full"});

    assertEquals(Workload.all(), options.workloads());
    assertEquals(Catalogue.systems().size(), options.systems().size());
    assertTrue(options.resume());
  }

  @Test
  void shouldTakeBeginningsOfNames() {
    RunnerOptions options =
        RunnerOptions.parse(
            new String[] {"--profile=full", "--workload=W3,W1/1x1", "--system=flink"});

    assertEquals(List.of("W1/1x1", "W3/1x1", "W3/4x4"), names(options));
    assertEquals(
        List.of("flink-epoll", "flink-nio"),
        options.systems().stream().map(SystemSpec::id).toList());
    assertEquals(
        "mvn -q -Pbench-full -Dpenstock.bench.workload=W1/1x1,W3"
            + " -Dpenstock.bench.system=flink-epoll,flink-nio verify",
        options.command());
  }

  @Test
  void shouldTakeAllSystemsIntoAShortRun() {
    RunnerOptions options =
        RunnerOptions.parse(new String[] {"--profile=quick", "--system=all", "--check=false"});

    assertEquals(Catalogue.systems().size(), options.systems().size());
    assertTrue(options.check().isEmpty());
    assertEquals("mvn -q -Pbench -Dpenstock.bench.system=all verify", options.command());
  }

  @Test
  void shouldSayWhatThereIsWhenANameIsWrong() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> RunnerOptions.parse(new String[] {"--workload=W99"}));

    assertTrue(e.getMessage().contains("W1/1x1"), e.getMessage());
  }

  private static List<String> names(RunnerOptions options) {
    return options.workloads().stream().map(Workload::name).toList();
  }
}

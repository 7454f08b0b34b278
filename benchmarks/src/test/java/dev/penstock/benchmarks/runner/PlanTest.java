package dev.penstock.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.penstock.benchmarks.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final SystemSpec ANCHOR = Catalogue.system("raw-socket");
  private static final SystemSpec NETTY = Catalogue.system("netty-epoll");
  private static final SystemSpec FLINK = Catalogue.system("flink-epoll");
  private static final List<SystemSpec> SYSTEMS = List.of(ANCHOR, NETTY, FLINK);

  @Test
  void shouldFrameEachRoundWithTheAnchor() {
    assertEquals(
        List.of(
            "1 W1/1x1 raw-socket",
            "1 W1/1x1 netty-epoll",
            "1 W1/1x1 flink-epoll",
            "2 W1/1x1 raw-socket",
            "2 W1/1x1 netty-epoll",
            "2 W1/1x1 flink-epoll",
            "2 W1/1x1 raw-socket"),
        plan(List.of("W1/1x1"), 2, 3));
  }

  @Test
  void shouldPutTheAnchorBetweenAllCasesWhenAsked() {
    assertEquals(
        List.of(
            "1 W1/1x1 raw-socket",
            "1 W1/1x1 netty-epoll",
            "1 W1/1x1 raw-socket",
            "1 W1/1x1 flink-epoll",
            "1 W1/1x1 raw-socket"),
        plan(List.of("W1/1x1"), 1, 1));
  }

  @Test
  void shouldUseTheAnchorOfOneConnectionForOtherThroughputAndOfTheSameRateForLatency() {
    assertEquals(
        List.of(
            "1 W1/1x1 raw-socket",
            "1 W2/4x4 raw-socket",
            "1 W2/4x4 netty-epoll",
            "1 W2/4x4 flink-epoll",
            "1 W1/1x1 raw-socket",
            "1 W5/1x1 raw-socket",
            "1 W5/1x1 netty-epoll",
            "1 W5/1x1 flink-epoll",
            "1 W5/1x1 raw-socket"),
        plan(List.of("W2/4x4", "W5/1x1"), 1, 3));
  }

  @Test
  void shouldLeaveOutWhatASystemCannotRun() {
    assertEquals(
        List.of(
            "1 W1/1x1 raw-socket",
            "1 W1/1x1-two-jvms raw-socket",
            "1 W1/1x1-two-jvms netty-epoll",
            "1 W1/1x1 raw-socket"),
        plan(List.of("W1/1x1-two-jvms"), 1, 3));
  }

  @Test
  void shouldGoOnFromTheLastAnchorOfAnUnfinishedRun() {
    List<Case> plan = cases(List.of("W1/1x1"), 2, 3);
    List<Sample> done = new ArrayList<>();
    plan.subList(0, 5).forEach(item -> done.add(sample(item)));

    assertEquals(done.subList(0, 3), Resume.usable(plan, done));
    plan.subList(5, 7).forEach(item -> done.add(sample(item)));
    assertEquals(done, Resume.usable(plan, done), "a complete run needs nothing more");
  }

  @Test
  void shouldNotUseSamplesBehindACaseThatFailed() {
    List<Case> plan = cases(List.of("W1/1x1"), 2, 3);
    List<Sample> done = new ArrayList<>();
    plan.forEach(item -> done.add(sample(item)));
    done.remove(4);

    assertEquals(done.subList(0, 3), Resume.usable(plan, done));
  }

  private static List<String> plan(List<String> workloads, int repetitions, int between) {
    return cases(workloads, repetitions, between).stream()
        .map(item -> item.repetition() + " " + item.workload().name() + " " + item.system().id())
        .toList();
  }

  private static List<Case> cases(List<String> workloads, int repetitions, int between) {
    return Plan.of(
        workloads.stream().map(Workload::named).toList(), SYSTEMS, ANCHOR, repetitions, between);
  }

  private static Sample sample(Case of) {
    return new Sample(
        of.workload().name(),
        of.system().id(),
        of.repetition(),
        "1",
        "17",
        Map.of("mb_per_s", 1.0));
  }
}

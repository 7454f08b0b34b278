package dev.penstock.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each peer must do before it is measured: run the workloads that all can run, for a moment,
 * and lose, double or change nothing (a case fails when it does), and leave no thread behind.
 */
abstract class PeerContract {
  private static final Duration MOMENT = Duration.ofMillis(50);
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long LOOK_AGAIN_NANOS = 10_000_000;

  /** What libraries and the JVM keep for good, once they have needed it. */
  private static final Pattern KEPT =
      Pattern.compile(
          "parallel-\\d+|boundedElastic-.*|globalEventExecutor.*|ObjectCleanerThread|ForkJoinPool.*"
              + "|Common-Cleaner|process reaper.*|Attach Listener|surefire.*|.*-timer.*");

  /** The class of the system. */
  abstract Class<?> system();

  /** Its settings. */
  String parameters() {
    return "";
  }

  /** The version that its module asks for, which it must be measured with. */
  abstract String version();

  @ParameterizedTest
  @ValueSource(strings = {"W1/1x1", "W2/4x4", "W3/4x4", "W4/1x1", "W5/1x1", "W5/4x4"})
  void shouldCarryEachRecordOnceAndLeaveNoThread(String workload) throws Exception {
    Set<Thread> before = threads();

    CaseResult result = run(workload);

    // On a busy machine a moment may pass without a record; what was sent has arrived all the same.
    assertTrue(result.metrics().containsKey(CaseResult.RECORDS), result.toString());
    assertEquals(version(), result.version());
    awaitEndOfOthers(before);
  }

  private CaseResult run(String workload) throws Exception {
    CaseOptions options =
        new CaseOptions(
            Workload.named(workload),
            system().getName(),
            Parameters.parse(parameters()),
            MOMENT,
            MOMENT);
    return new CaseRun(options).run();
  }

  private static Set<Thread> threads() {
    return Set.copyOf(Thread.getAllStackTraces().keySet());
  }

  private static void awaitEndOfOthers(Set<Thread> before) {
    long start = System.nanoTime();
    Set<String> left = left(before);
    while (!left.isEmpty() && System.nanoTime() - start < DEADLINE.toNanos()) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      left = left(before);
    }
    assertEquals(Set.of(), left);
  }

  private static Set<String> left(Set<Thread> before) {
    return threads().stream()
        .filter(thread -> thread.isAlive() && !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> !KEPT.matcher(name).matches())
        .collect(Collectors.toSet());
  }
}

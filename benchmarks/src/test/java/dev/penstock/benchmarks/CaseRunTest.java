package dev.penstock.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.penstock.benchmarks.netty.NettySystem;
import dev.penstock.benchmarks.penstock.PenstockSystem;
import dev.penstock.benchmarks.socket.SocketSystem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs cases for a moment: that they run and lose nothing, not how fast. */
class CaseRunTest {
  private static final Duration MOMENT = Duration.ofMillis(50);

  @ParameterizedTest
  @CsvSource({"W1/1x1", "W2/4x4", "W3/4x4", "W4/1x1", "W5/1x1"})
  void shouldRunWorkloadsOverRawSockets(String workload) throws Exception {
    assertMeasures(workload, SocketSystem.class, "");
  }

  @ParameterizedTest
  @CsvSource({"W1/1x1", "W2/4x4", "W4/1x1", "W5/1x1"})
  void shouldRunWorkloadsOverRawNetty(String workload) throws Exception {
    assertMeasures(workload, NettySystem.class, "transport=nio");
  }

  @ParameterizedTest
  @CsvSource({"W1/1x1", "W2/4x4", "W5/1x1", "W8/4x4", "W9/1x1-tls"})
  void shouldRunWorkloadsOverPenstock(String workload) throws Exception {
    assertMeasures(workload, PenstockSystem.class, "");
  }

  @Test
  void shouldRunPenstockWithHandlersOnTheLoop() throws Exception {
    assertMeasures("W2/4x4", PenstockSystem.class, "consumer=loop");
  }

  @Test
  void shouldRunProducersInAJvmOfTheirOwn() throws Exception {
    assertMeasures("W1/1x1-two-jvms", SocketSystem.class, "");
  }

  @Test
  void shouldFailWhenASystemLosesARecord() {
    CaseRun run = run("W1/1x1", LosingSystem.class, "");

    IllegalStateException e = assertThrows(IllegalStateException.class, run::run);

    assertTrue(e.getMessage().startsWith("sent "), e.getMessage());
  }

  @Test
  void shouldRefuseAResultThatRestsOnNoRecord() {
    CaseResult result = new CaseResult("1", Map.of("mb_per_s", 0.0, CaseResult.RECORDS, 0.0));

    assertThrows(IllegalStateException.class, result::orFail);
  }

  private static void assertMeasures(String workload, Class<?> system, String parameters)
      throws Exception {
    CaseResult result = run(workload, system, parameters).run();

    Set<String> expected =
        Workload.named(workload).paced()
            ? Set.of("p50_us", "p90_us", "p99_us", "p999_us", "max_us", "records")
            : Set.of(
                "mb_per_s",
                "records_per_s",
                "cpu_ns_per_record",
                "allocated_b_per_record",
                "allocated_b_per_32k",
                "records");
    assertTrue(result.metrics().keySet().containsAll(expected), result.toString());
    for (Map.Entry<String, Double> metric : result.metrics().entrySet()) {
      assertTrue(metric.getValue() >= 0, metric.toString());
    }
  }

  private static CaseRun run(String workload, Class<?> system, String parameters) {
    return new CaseRun(
        new CaseOptions(
            Workload.named(workload),
            system.getName(),
            Parameters.parse(parameters),
            MOMENT,
            MOMENT));
  }

  /** Delivers every record but one, in the producer's thread. */
  public static final class LosingSystem implements MessageSystem {
    private final Deque<RecordSink> sink = new ArrayDeque<>();
    private Sinks sinks;

    public LosingSystem(Parameters parameters) {
      assertEquals("", parameters.text());
    }

    @Override
    public String listen(Workload workload, Sinks sinks) {
      this.sinks = sinks;
      sink.add(sinks.sink(0));
      return "here";
    }

    @Override
    public void connect(Workload workload, String endpoint) {}

    @Override
    public Producer producer(int index) {
      return new Producer() {
        private boolean lost;

        @Override
        public void send(int consumer, byte[] record) {
          if (lost) {
            sink.getFirst().accept(record.length, java.nio.ByteBuffer.wrap(record).getLong());
          }
          lost = true;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
          sinks.ended(1);
        }
      };
    }

    @Override
    public String version() {
      return "0";
    }

    @Override
    public void close() {}
  }
}

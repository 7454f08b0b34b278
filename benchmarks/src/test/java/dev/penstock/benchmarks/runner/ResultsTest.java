package dev.penstock.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static final String MACHINE = "2 × CPU, Linux";
  private static final String COMMAND = "mvn -q -Pbench verify";

  @TempDir Path folder;

  @Test
  void shouldSumUpRepetitionsWithRatiosToAnchorAndBaseline() {
    List<Row> rows =
        summary(
            sample("W1/1x1", "raw-socket", "mb_per_s", 1000),
            sample("W2/4x4", "flink-epoll", "mb_per_s", 500),
            sample("W2/4x4", "netty-epoll", "mb_per_s", 900),
            sample("W1/1x1", "raw-socket", "mb_per_s", 2000),
            sample("W2/4x4", "flink-epoll", "mb_per_s", 800),
            sample("W2/4x4", "netty-epoll", "mb_per_s", 1600));

    Row netty = rows.get(2);
    assertEquals("W2", netty.workload());
    assertEquals("4x4", netty.caseName());
    assertEquals("netty-epoll", netty.system());
    assertEquals("throughput", netty.metric());
    assertEquals("MB/s", netty.unit());
    assertEquals(1250, netty.median());
    assertEquals(900, netty.min());
    assertEquals(1600, netty.max());
    assertEquals(2, netty.reps());
    assertEquals(0.7, netty.ratioToAnchor(), "900 / 1500 and 1600 / 2000");
    assertEquals("flink-epoll", netty.baseline());
    assertEquals(1.692, netty.ratioToBaseline(), "900 / 650 and 1600 / 800");
  }

  @Test
  void shouldLeaveOutRatiosToWhatDidNotRun() {
    Row alone = summary(sample("W2/4x4", "netty-epoll", "mb_per_s", 900)).get(0);

    assertNull(alone.ratioToAnchor());
    assertNull(alone.ratioToBaseline());
  }

  @Test
  void shouldHaveNoRatioOfAllocationsWhichMayBeNextToNothing() {
    List<Row> rows =
        summary(
            sample("W1/1x1", "raw-socket", "allocated_b_per_32k", 0.001),
            sample("W1/1x1", "penstock", "allocated_b_per_32k", 256));

    assertEquals(256, rows.get(1).median());
    assertNull(rows.get(1).ratioToAnchor());
  }

  @Test
  void shouldWriteTheFieldsThatReadersExpect() throws IOException {
    Path file = folder.resolve("results/latest.json");
    List<Row> rows = summary(sample("W5/1x1", "raw-socket", "p50_us", 25.06));

    Results.write(file, rows);

    JsonObject first =
        JsonParser.parseString(Files.readString(file)).getAsJsonArray().get(0).getAsJsonObject();
    assertEquals(
        Set.of(
            "workload",
            "case",
            "system",
            "version",
            "metric",
            "unit",
            "median",
            "min",
            "max",
            "baseline",
            "ratio_to_baseline",
            "ratio_to_anchor",
            "reps",
            "java",
            "machine",
            "command"),
        first.keySet());
    assertEquals(25.06, first.get("median").getAsDouble());
    assertEquals(rows, Results.read(file));
  }

  @Test
  void shouldKeepResultsOfWorkloadsThatWereNotRunAgain() {
    List<Row> old =
        summary(
            sample("W1/1x1", "raw-socket", "mb_per_s", 1),
            sample("W1/1x1", "netty-nio", "mb_per_s", 1),
            sample("W3/1x1", "raw-socket", "mb_per_s", 3));
    List<Row> fresh = summary(sample("W1/1x1", "raw-socket", "mb_per_s", 7));

    List<Row> merged = Results.merge(old, fresh);

    assertEquals(List.of(7.0, 3.0), merged.stream().map(Row::median).toList());
  }

  @Test
  void shouldGoOnOnlyWithSamplesOfTheSameSettings() throws IOException {
    Path file = folder.resolve("unfinished.jsonl");
    Sample sample = sample("W1/1x1", "raw-socket", "mb_per_s", 1);
    SampleStore store = new SampleStore(file, "full x5");
    store.start(List.of());
    store.append(sample);

    assertEquals(List.of(sample), new SampleStore(file, "full x5").read());
    assertEquals(List.of(), new SampleStore(file, "full x3").read());

    Files.writeString(file, Files.readString(file) + "{\"workload\":\"W1");
    assertEquals(List.of(sample), new SampleStore(file, "full x5").read(), "a line cut off");
  }

  @Test
  void shouldShowFiguresAndWhereTheyComeFromInTheTable() {
    String table =
        MarkdownTable.of(
            summary(
                sample("W1/1x1", "raw-socket", "mb_per_s", 2000),
                sample("W1/1x1", "netty-epoll", "mb_per_s", 1500),
                sample("W5/1x1", "raw-socket", "p50_us", 25)));

    assertTrue(
        table.contains(
            "| W1 1x1 | netty-epoll 1 | throughput, MB/s | 1,500 | 1,500 | 1,500 | 0.75 |"
                + " 0.75 raw-socket | 1 |"),
        table);
    assertTrue(table.contains("## Latency"), table);
    assertTrue(table.contains(COMMAND), table);
  }

  private static List<Row> summary(Sample... samples) {
    return new Summary(List.of(samples), MACHINE, COMMAND).rows();
  }

  private static Sample sample(String workload, String system, String metric, double value) {
    return new Sample(workload, system, 1, "1", "17", Map.of(metric, value));
  }
}

package dev.penstock.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ScaleChartsTest {
  @TempDir Path folder;

  @Test
  void shouldDrawACurvePerSystemWithEqualSpacesBetweenEqualFactors() throws Exception {
    ScaleCharts.write(
        folder,
        rows(
            sample("S2/8B", "penstock", "mb_per_s", 1000),
            sample("S2/32B", "penstock", "mb_per_s", 2000),
            sample("S2/8KiB", "penstock", "mb_per_s", 4000),
            sample("S2/8B", "netty-epoll", "mb_per_s", 500)));

    Document svg = parse("scale-size.svg");
    NodeList points = svg.getElementsByTagName("circle");
    assertEquals(4, points.getLength());
    double first = number(points, 0, "cx");
    double second = number(points, 1, "cx");
    double third = number(points, 2, "cx");
    assertEquals((second - first) * 4, third - second, 1, "8 to 32 is 4, 32 to 8192 is 4⁴");
    double bottom = 2 * number(points, 0, "cy") - number(points, 1, "cy");
    assertEquals(4 * (bottom - number(points, 0, "cy")), bottom - number(points, 2, "cy"), 1);
    assertEquals(first, number(points, 3, "cx"), 0.1, "the same size of another system");
  }

  @Test
  void shouldLeaveOutChartsOfWhichNothingWasMeasured() throws IOException {
    ScaleCharts.write(folder, rows(sample("W1/1x1", "penstock", "mb_per_s", 1000)));

    try (var files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void shouldDrawMemoryBesideRecordsPerSecond() throws Exception {
    List<Row> rows =
        rows(
            sample("S1/1x4", "penstock", "records_per_s", 2e7),
            sample("S1/1x4", "penstock", "output_peak_mib", 3),
            sample("S1/1x10000", "penstock", "records_per_s", 1e7),
            sample("S1/1x10000", "penstock", "output_peak_mib", 30));

    ScaleCharts.write(folder, rows);

    assertEquals(2, parse("scale-channels.svg").getElementsByTagName("circle").getLength());
    assertEquals(2, parse("scale-memory.svg").getElementsByTagName("circle").getLength());
    assertTrue(Files.readString(folder.resolve("scale-channels.svg")).contains(">10000<"));
    assertFalse(Files.exists(folder.resolve("scale-size.svg")));
  }

  @Test
  void shouldKeepSizesInTheOrderOfTheHarness() {
    List<Row> old = rows(sample("S2/1KiB", "penstock", "mb_per_s", 1));
    List<Row> fresh =
        rows(
            sample("S2/8B", "penstock", "mb_per_s", 2),
            sample("W10/1x1", "penstock", "pause_ms", 3));

    assertEquals(
        List.of("1x1", "8B", "1KiB"),
        Results.merge(old, fresh).stream().map(Row::caseName).toList());
  }

  @Test
  void shouldEndTheAxisAtARoundNumberAboveTheLargest() {
    assertEquals(2500, LineChart.roundUp(2100));
    assertEquals(10, LineChart.roundUp(7));
    assertEquals(0.2, LineChart.roundUp(0.13), 1e-12);
    assertEquals(1, LineChart.roundUp(0));
  }

  private Document parse(String file) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(folder.resolve(file).toFile());
  }

  private static double number(NodeList elements, int index, String attribute) {
    return Double.parseDouble(((Element) elements.item(index)).getAttribute(attribute));
  }

  private static List<Row> rows(Sample... samples) {
    return new Summary(List.of(samples), "machine", "command").rows();
  }

  private static Sample sample(String workload, String system, String metric, double value) {
    return new Sample(workload, system, 1, "1", "17", Map.of(metric, value));
  }
}

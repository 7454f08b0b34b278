package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The curves of S1 to S3, drawn from the rows of the results file. */
final class ScaleCharts {
  private static final double MILLION = 1e6;
  private static final double ONE = 1;

  private ScaleCharts() {}

  /** One chart: which scale, which figure, and what the axes say. */
  private record Chart(
      String file, String title, String scale, Metric metric, double unit, LineChart.Axes axes) {}

  private static final List<Chart> ALL =
      List.of(
          new Chart(
              "scale-channels.svg",
              "Records by number of channels, 100 bytes",
              "S1",
              Metric.RECORD_RATE,
              MILLION,
              new LineChart.Axes("channels, one producer, Zipf-distributed keys", "M records/s")),
          new Chart(
              "scale-memory.svg",
              "Memory of the producers' side by number of channels",
              "S1",
              Metric.OUTPUT_PEAK,
              ONE,
              new LineChart.Axes("channels, one producer, default budget", "MiB")),
          new Chart(
              "scale-size.svg",
              "Throughput by size of a record",
              "S2",
              Metric.THROUGHPUT,
              ONE,
              new LineChart.Axes("bytes of a record, one channel", "MB/s")),
          new Chart(
              "scale-producers.svg",
              "Records by number of producers, 100 bytes",
              "S3",
              Metric.RECORD_RATE,
              MILLION,
              new LineChart.Axes("producers, four consumers", "M records/s")));

  /** Writes those charts of which anything was measured. */
  static void write(Path folder, List<Row> rows) throws IOException {
    for (Chart chart : ALL) {
      List<Row> shown =
          rows.stream()
              .filter(row -> row.workload().equals(chart.scale()))
              .filter(row -> row.metric().equals(chart.metric().label()))
              .filter(row -> workload(row).isPresent())
              .toList();
      if (!shown.isEmpty()) {
        Files.writeString(folder.resolve(chart.file()), draw(chart, shown));
      }
    }
  }

  private static String draw(Chart chart, List<Row> rows) {
    Map<String, List<LineChart.Point>> points = new LinkedHashMap<>();
    for (Row row : rows) {
      points.computeIfAbsent(row.system(), unused -> new ArrayList<>()).add(point(chart, row));
    }
    List<LineChart.Curve> curves = new ArrayList<>();
    points.forEach(
        (system, list) -> curves.add(new LineChart.Curve(Descriptions.title(system), list)));
    return LineChart.draw(chart.title(), Charts.subtitles(rows), chart.axes(), curves);
  }

  private static LineChart.Point point(Chart chart, Row row) {
    Workload workload = workload(row).orElseThrow();
    return new LineChart.Point(
        x(workload),
        workload.id().equals("S2") ? workload.caseName() : String.valueOf((int) x(workload)),
        row.median() / chart.unit(),
        row.min() / chart.unit(),
        row.max() / chart.unit());
  }

  private static double x(Workload workload) {
    return switch (workload.id()) {
      case "S1" -> workload.channels();
      case "S2" -> workload.recordSize();
      default -> workload.producers();
    };
  }

  private static Optional<Workload> workload(Row row) {
    return Workload.all().stream()
        .filter(workload -> workload.name().equals(row.workload() + "/" + row.caseName()))
        .findFirst();
  }
}

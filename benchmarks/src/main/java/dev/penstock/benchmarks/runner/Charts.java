package dev.penstock.benchmarks.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The charts beside the results file. */
final class Charts {
  private static final String OURS = "penstock";

  private Charts() {}

  static void write(Path folder, List<Row> rows) throws IOException {
    write(folder.resolve("throughput.svg"), "Throughput, more is better", rows, Metric.THROUGHPUT);
    write(
        folder.resolve("latency.svg"), "One-way latency, median, less is better", rows, Metric.P50);
    ScaleCharts.write(folder, rows);
  }

  private static void write(Path file, String title, List<Row> rows, Metric metric)
      throws IOException {
    List<Row> shown =
        rows.stream()
            .filter(row -> row.metric().equals(metric.label()) && row.workload().startsWith("W"))
            .toList();
    if (shown.isEmpty()) {
      return;
    }
    Files.writeString(file, BarChart.draw(title, subtitles(shown), groups(shown)));
  }

  /** Machine, Java and command of what is drawn. */
  static List<String> subtitles(List<Row> rows) {
    Row last = rows.get(rows.size() - 1);
    String java = "Java " + Runtime.Version.parse(last.java()).feature();
    return List.of(last.machine() + ", " + java, last.command());
  }

  private static List<BarChart.Group> groups(List<Row> rows) {
    Map<String, List<BarChart.Bar>> groups = new LinkedHashMap<>();
    for (Row row : rows) {
      groups.computeIfAbsent(heading(row), unused -> new ArrayList<>()).add(bar(row));
    }
    List<BarChart.Group> drawn = new ArrayList<>();
    groups.forEach((heading, bars) -> drawn.add(new BarChart.Group(heading, bars)));
    return drawn;
  }

  private static String heading(Row row) {
    return row.workload()
        + " "
        + row.caseName()
        + ": "
        + Descriptions.of(row.workload(), row.caseName());
  }

  private static BarChart.Bar bar(Row row) {
    String note = MarkdownTable.number(row.median()) + " " + row.unit().replace("us", "µs");
    if (row.ratioToAnchor() != null) {
      note += " · " + MarkdownTable.ratio(row.ratioToAnchor()) + " × anchor";
    }
    return new BarChart.Bar(
        Descriptions.title(row.system()),
        row.median(),
        row.min(),
        row.max(),
        note,
        row.system().startsWith(OURS));
  }
}

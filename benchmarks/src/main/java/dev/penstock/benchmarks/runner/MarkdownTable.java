package dev.penstock.benchmarks.runner;

import java.util.List;
import java.util.Locale;

/** The results for a reader: one table per kind of metric. */
final class MarkdownTable {
  private final StringBuilder out = new StringBuilder();

  private MarkdownTable() {}

  static String of(List<Row> rows) {
    MarkdownTable table = new MarkdownTable();
    table.out.append("# Measured side by side\n");
    table.section("Throughput", rows, List.of(Metric.THROUGHPUT, Metric.RECORD_RATE));
    table.section("Latency", rows, List.of(Metric.P50, Metric.P99));
    table.section("Pause when connections are cut", rows, List.of(Metric.PAUSE, Metric.MAX_PAUSE));
    table.section("Memory", rows, List.of(Metric.OUTPUT_PEAK, Metric.INPUT_PEAK));
    table.section("Processor time", rows, List.of(Metric.CPU_TIME));
    table.section(
        "Allocation, both sides", rows, List.of(Metric.ALLOCATED, Metric.ALLOCATED_PER_FRAME));
    rows.stream()
        .map(row -> row.machine() + ", Java " + row.java() + ": `" + row.command() + "`")
        .distinct()
        .forEach(line -> table.out.append("\n").append(line).append("\n"));
    return table.out.toString();
  }

  private void section(String title, List<Row> rows, List<Metric> metrics) {
    List<String> labels = metrics.stream().map(Metric::label).toList();
    List<Row> shown = rows.stream().filter(row -> labels.contains(row.metric())).toList();
    if (shown.isEmpty()) {
      return;
    }
    out.append("\n## ").append(title).append("\n\n");
    out.append(
        "| workload | system | metric | median | min | max | × anchor | × baseline | runs |\n");
    out.append("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    shown.forEach(this::line);
  }

  private void line(Row row) {
    cell(row.workload() + " " + row.caseName());
    cell(row.system() + " " + row.version());
    cell(row.metric() + ", " + row.unit());
    cell(value(row, row.median()));
    cell(value(row, row.min()));
    cell(value(row, row.max()));
    cell(ratio(row.ratioToAnchor()));
    cell(row.ratioToBaseline() == null ? "" : ratio(row.ratioToBaseline()) + " " + row.baseline());
    cell(String.valueOf(row.reps()));
    out.append("|\n");
  }

  private void cell(String text) {
    out.append("| ").append(text).append(' ');
  }

  /** Allocation is a matter of small fractions. */
  private static String value(Row row, double value) {
    return row.metric().equals(Metric.ALLOCATED.label())
        ? String.format(Locale.ROOT, "%,.4f", value)
        : number(value);
  }

  static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%,.1f" : "%,.0f", value);
  }

  static String ratio(Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.2f", value);
  }
}

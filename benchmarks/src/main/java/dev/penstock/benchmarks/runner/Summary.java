package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns samples into results. */
final class Summary {
  private final List<Sample> samples;
  private final Pairing pairing;
  private final String machine;
  private final String command;

  Summary(List<Sample> samples, String machine, String command) {
    this.samples = List.copyOf(samples);
    this.pairing = new Pairing(samples);
    this.machine = machine;
    this.command = command;
  }

  /**
   * One row for each workload, system and metric that was measured, in the order of their first
   * run.
   */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    groups().forEach((group, members) -> addRows(rows, members));
    return rows;
  }

  private Map<String, List<Sample>> groups() {
    Map<String, List<Sample>> groups = new LinkedHashMap<>();
    for (Sample sample : samples) {
      String key = sample.workload() + " " + sample.system();
      groups.computeIfAbsent(key, unused -> new ArrayList<>()).add(sample);
    }
    return groups;
  }

  private void addRows(List<Row> rows, List<Sample> members) {
    Set<String> keys = new LinkedHashSet<>();
    members.forEach(member -> keys.addAll(member.metrics().keySet()));
    for (String key : keys) {
      Metric.ofKey(key).ifPresent(metric -> rows.add(row(metric, members)));
    }
  }

  private Row row(Metric metric, List<Sample> members) {
    List<Double> values =
        members.stream()
            .filter(member -> member.metrics().containsKey(metric.key()))
            .map(member -> member.metrics().get(metric.key()))
            .toList();
    Sample last = members.get(members.size() - 1);
    Workload workload = Workload.named(last.workload());
    Catalogue.Reference baseline = Catalogue.baseline(workload);
    Spread spread = Spread.of(values);
    String anchorWorkload = Catalogue.anchorWorkload(workload).name();
    return new Row(
        workload.id(),
        workload.caseName(),
        last.system(),
        last.version(),
        metric.label(),
        metric.unit(),
        round(spread.median()),
        round(spread.min()),
        round(spread.max()),
        baseline.system(),
        ratio(metric, last, baseline.workload(), baseline.system()),
        ratio(metric, last, anchorWorkload, Catalogue.ANCHOR),
        values.size(),
        last.java(),
        machine,
        command);
  }

  private Double ratio(Metric metric, Sample of, String otherWorkload, String other) {
    if (!metric.isComparable()) {
      return null;
    }
    List<Double> ratios =
        pairing.ratios(of.workload(), of.system(), otherWorkload, other, metric.key());
    return ratios.isEmpty() ? null : round(Spread.of(ratios).median());
  }

  /** Four significant digits: more would be noise. */
  private static double round(double value) {
    if (value == 0) {
      return 0;
    }
    double scale = Math.pow(10, 3 - Math.floor(Math.log10(Math.abs(value))));
    return Math.round(value * scale) / scale;
  }
}

package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Workload;
import java.util.Locale;

/** Words for identifiers, where charts are read. */
final class Descriptions {
  private Descriptions() {}

  /** What a workload sends, in a few words; nothing for one that this version does not know. */
  static String of(String id, String caseName) {
    return Workload.all().stream()
        .filter(workload -> workload.id().equals(id) && workload.caseName().equals(caseName))
        .findFirst()
        .map(Descriptions::describe)
        .orElse("");
  }

  private static String describe(Workload workload) {
    String size =
        workload.recordSize() >= 1024
            ? workload.recordSize() / 1024 + " KiB records"
            : workload.recordSize() + "-byte records";
    String rate =
        workload.paced() ? String.format(Locale.ROOT, ", %,d/s", workload.ratePerSecond()) : "";
    return size + ", " + workload.producers() + " → " + workload.consumers() + rate;
  }

  /** What a system is called; its identifier where this version does not know it. */
  static String title(String system) {
    return Catalogue.systems().stream()
        .filter(spec -> spec.id().equals(system))
        .map(SystemSpec::title)
        .findFirst()
        .orElse(system);
  }
}

package dev.penstock.benchmarks.runner;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.reflect.TypeToken;
import dev.penstock.benchmarks.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The results file: an array of rows, in which a new run replaces the workloads that it has run.
 */
final class Results {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create();
  private static final TypeToken<List<Row>> ROWS = new TypeToken<>() {};

  private Results() {}

  static List<Row> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    return GSON.fromJson(Files.readString(file), ROWS);
  }

  static void write(Path file, List<Row> rows) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, GSON.toJson(rows) + "\n");
  }

  /** Old rows of workloads that were not run again, and the new ones, by workload. */
  static List<Row> merge(List<Row> old, List<Row> fresh) {
    Set<String> replaced = fresh.stream().map(Results::workload).collect(Collectors.toSet());
    List<Row> merged = new ArrayList<>();
    old.stream().filter(row -> !replaced.contains(workload(row))).forEach(merged::add);
    merged.addAll(fresh);
    merged.sort(
        Comparator.comparing(Results::isScale)
            .thenComparingInt(Results::number)
            .thenComparingInt(Results::place)
            .thenComparing(Row::caseName));
    return merged;
  }

  private static String workload(Row row) {
    return row.workload() + "/" + row.caseName();
  }

  private static boolean isScale(Row row) {
    return row.workload().startsWith("S");
  }

  /** Cases in the order of the harness: 32 bytes come before a kilobyte. */
  private static int place(Row row) {
    return IntStream.range(0, Workload.all().size())
        .filter(i -> Workload.all().get(i).name().equals(workload(row)))
        .findFirst()
        .orElse(Integer.MAX_VALUE);
  }

  private static int number(Row row) {
    return Integer.parseInt(row.workload().substring(1));
  }
}

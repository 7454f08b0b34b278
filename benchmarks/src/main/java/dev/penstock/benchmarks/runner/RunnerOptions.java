package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the runner is told on its command line.
 *
 * @param full whether hours may pass: all systems, more repetitions, the anchor beside every case,
 *     resumable
 * @param workloads what to run
 * @param systems with what
 * @param repetitions how often
 * @param warmUp of each case
 * @param measure of each case
 * @param resume whether an unfinished full run goes on
 * @param peers the folder with the peers
 * @param results where results go
 * @param logs where the output of the cases goes
 * @param check what the newest results are compared with, instead of measuring; empty to measure
 * @param tolerance by which share a ratio may be worse than the committed one
 * @param goals the file with goals and committed ratios
 */
record RunnerOptions(
    boolean full,
    List<Workload> workloads,
    List<SystemSpec> systems,
    int repetitions,
    Duration warmUp,
    Duration measure,
    boolean resume,
    Path peers,
    Path results,
    Path logs,
    Optional<Gate.Kind> check,
    double tolerance,
    Path goals) {
  private static final List<String> QUICK_WORKLOADS = List.of("W1/1x1", "W2/4x4", "W5/1x1");
  private static final String ALL = "all";
  private static final String TOLERANCE = "0.15";
  private static final int MOST_BETWEEN_ANCHORS = 4;
  private static final int QUICK_REPETITIONS = 3;
  private static final int FULL_REPETITIONS = 5;
  private static final int WARM_UP_SECONDS = 12;
  private static final int QUICK_SECONDS = 4;
  private static final int FULL_SECONDS = 10;

  static RunnerOptions parse(String[] args) {
    Map<String, String> options = new HashMap<>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (!arg.startsWith("--") || equals < 0) {
        throw new IllegalArgumentException("expected --name=value, got '" + arg + "'");
      }
      options.put(arg.substring(2, equals), arg.substring(equals + 1));
    }
    boolean full = value(options, "profile", "quick").equals("full");
    return new RunnerOptions(
        full,
        workloads(value(options, "workload", ""), full),
        systems(value(options, "system", ""), full),
        number(options, "repetitions", full ? FULL_REPETITIONS : QUICK_REPETITIONS),
        Duration.ofSeconds(number(options, "warm-up", WARM_UP_SECONDS)),
        Duration.ofSeconds(number(options, "measure", full ? FULL_SECONDS : QUICK_SECONDS)),
        full && Boolean.parseBoolean(value(options, "resume", "true")),
        Path.of(value(options, "peers", "peers")),
        Path.of(value(options, "results", "results")),
        Path.of(value(options, "logs", "target/logs")),
        check(value(options, "check", "false")),
        Double.parseDouble(value(options, "tolerance", TOLERANCE)),
        Path.of(value(options, "goals", "goals.json")));
  }

  private static Optional<Gate.Kind> check(String value) {
    return switch (value) {
      case "false" -> Optional.empty();
      case "true", "goals" -> Optional.of(Gate.Kind.GOALS);
      case "committed" -> Optional.of(Gate.Kind.COMMITTED);
      default ->
          throw new IllegalArgumentException(
              "check is '" + value + "', expected true (the goals), committed or false");
    };
  }

  /** Maven hands over what is not set as an empty text. */
  private static String value(Map<String, String> options, String name, String fallback) {
    String value = options.getOrDefault(name, "");
    return value.isEmpty() ? fallback : value;
  }

  private static int number(Map<String, String> options, String name, int fallback) {
    return Integer.parseInt(value(options, name, String.valueOf(fallback)));
  }

  private static List<Workload> workloads(String names, boolean full) {
    List<String> wanted = split(names);
    List<Workload> chosen =
        Workload.all().stream()
            .filter(
                workload ->
                    wanted.isEmpty()
                        ? full || QUICK_WORKLOADS.contains(workload.name())
                        : wanted.stream().anyMatch(name -> matches(workload.name(), name, "/")))
            .toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "no workload '"
              + names
              + "', there are "
              + Workload.all().stream().map(Workload::name).toList());
    }
    return chosen;
  }

  private static List<SystemSpec> systems(String names, boolean full) {
    List<String> wanted = split(names);
    List<SystemSpec> chosen =
        Catalogue.systems().stream()
            .filter(
                system ->
                    wanted.isEmpty()
                        ? full || system.quick()
                        : wanted.contains(ALL)
                            || wanted.stream().anyMatch(name -> matches(system.id(), name, "-")))
            .toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "no system '"
              + names
              + "', there are "
              + Catalogue.systems().stream().map(SystemSpec::id).toList());
    }
    return chosen;
  }

  /**
   * Whether a name is the wanted one, or begins with it: W2 takes all cases of W2, flink all
   * variants of Flink.
   */
  private static boolean matches(String name, String wanted, String separator) {
    return name.equals(wanted) || name.startsWith(wanted + separator);
  }

  private static List<String> split(String names) {
    return List.of(names.split(",", -1)).stream()
        .map(String::trim)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /** How many cases may run before the anchor has its turn again. */
  int casesBetweenAnchors() {
    return full ? 1 : MOST_BETWEEN_ANCHORS;
  }

  /** What the settings are, in one line; a run with other settings does not go on from this one. */
  String heading() {
    return (full ? "full" : "quick")
        + " "
        + workloads.stream().map(Workload::name).toList()
        + " "
        + systems.stream().map(SystemSpec::id).toList()
        + " x"
        + repetitions
        + " "
        + warmUp
        + "+"
        + measure;
  }

  /** All cases of a workload are called by its identifier. */
  private Set<String> shortNames() {
    Set<String> names = new LinkedHashSet<>();
    for (Workload workload : workloads) {
      boolean all = workloads.containsAll(workloads(workload.id(), full));
      names.add(all ? workload.id() : workload.name());
    }
    return names;
  }

  /** The command that a reader would type. */
  String command() {
    StringBuilder command = new StringBuilder("mvn -q ").append(full ? "-Pbench-full" : "-Pbench");
    List<Workload> own = workloads("", full);
    if (!workloads.equals(own)) {
      command.append(" -Dpenstock.bench.workload=");
      command.append(String.join(",", shortNames()));
    }
    if (systems.size() != systems("", full).size()) {
      command.append(" -Dpenstock.bench.system=");
      command.append(
          systems.size() == Catalogue.systems().size()
              ? ALL
              : String.join(",", systems.stream().map(SystemSpec::id).toList()));
    }
    if (repetitions != (full ? FULL_REPETITIONS : QUICK_REPETITIONS)) {
      command.append(" -Dpenstock.bench.repetitions=").append(repetitions);
    }
    if (warmUp.toSeconds() != WARM_UP_SECONDS) {
      command.append(" -Dpenstock.bench.warmup=").append(warmUp.toSeconds());
    }
    if (measure.toSeconds() != (full ? FULL_SECONDS : QUICK_SECONDS)) {
      command.append(" -Dpenstock.bench.measure=").append(measure.toSeconds());
    }
    return command.append(" verify").toString();
  }
}

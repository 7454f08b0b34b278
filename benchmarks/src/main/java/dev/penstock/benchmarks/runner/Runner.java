package dev.penstock.benchmarks.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Runs the cases side by side and writes the results. */
public final class Runner {
  private static final double BUSY = 0.1;

  /** What starting and ending a JVM adds to a case. */
  private static final Duration START_AND_STOP = Duration.ofSeconds(2);

  private final RunnerOptions options;
  private final PrintStream out;
  private final List<Sample> samples = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private Runner(RunnerOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** Runs what the arguments say; ends with exit code 1 when a case has failed. */
  public static void main(String[] args) throws IOException, InterruptedException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    RunnerOptions options;
    try {
      options = RunnerOptions.parse(args);
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      System.exit(2);
      return;
    }
    boolean good =
        options.check().isPresent() ? check(options, out) : new Runner(options, out).run();
    System.exit(good ? 0 : 1);
  }

  /** Measures nothing: holds the newest results against the goals or what was committed. */
  static boolean check(RunnerOptions options, PrintStream out) throws IOException {
    Path file = options.results().resolve("latest.json");
    Gate gate = new Gate(Results.read(file), options.check().orElseThrow(), options.tolerance());
    List<Gate.Verdict> verdicts = gate.verdicts(Gate.read(options.goals()));
    verdicts.forEach(verdict -> out.println(verdict.text()));
    long missed = verdicts.stream().filter(verdict -> !verdict.passed()).count();
    out.println(missed + " of " + verdicts.size() + " missed, " + file.normalize());
    return missed == 0 && !verdicts.isEmpty();
  }

  private boolean run() throws IOException, InterruptedException {
    List<Case> plan =
        Plan.of(
            options.workloads(),
            options.systems(),
            Catalogue.system(Catalogue.ANCHOR),
            options.repetitions(),
            options.casesBetweenAnchors());
    Duration perCase = options.warmUp().plus(options.measure()).plus(START_AND_STOP);
    Progress progress = new Progress(out, Machine.writesToTerminal(), plan.size(), perCase);
    String machine = Machine.describe();
    progress.note(machine + ", Java " + Runtime.version() + ", " + plan.size() + " cases");
    warnIfBusy(progress);
    runAll(plan, progress);
    report(machine);
    return failures.isEmpty();
  }

  private static void warnIfBusy(Progress progress) throws InterruptedException {
    OptionalDouble busy = Machine.busy();
    if (busy.isPresent() && busy.getAsDouble() > BUSY) {
      progress.note(
          String.format(
              "The machine is %.0f %% busy with other work: expect noise.",
              100 * busy.getAsDouble()));
    }
  }

  private void runAll(List<Case> plan, Progress progress) throws IOException, InterruptedException {
    CaseLauncher launcher =
        new CaseLauncher(options.peers(), options.logs(), options.warmUp(), options.measure());
    SampleStore store =
        new SampleStore(options.results().resolve("unfinished.jsonl"), options.heading());
    if (options.resume()) {
      samples.addAll(Resume.usable(plan, store.read()));
    }
    if (!samples.isEmpty()) {
      progress.note("Going on with an unfinished run: " + samples.size() + " cases are done.");
    }
    progress.skip(samples.size());
    store.start(samples);
    for (Case next : plan.subList(samples.size(), plan.size())) {
      progress.start(next);
      try {
        Sample sample = launcher.run(next, () -> progress.tick(next));
        samples.add(sample);
        store.append(sample);
        progress.end(next, Progress.describe(sample.metrics()));
      } catch (IOException | RuntimeException e) {
        failures.add(next.workload().name() + " " + next.system().id() + ": " + e.getMessage());
        progress.end(next, "FAILED: " + e.getMessage());
      }
    }
    store.delete();
  }

  private void report(String machine) throws IOException {
    if (samples.isEmpty()) {
      out.println("No case succeeded.");
      return;
    }
    List<Row> fresh = new Summary(samples, machine, options.command()).rows();
    Path file = options.results().resolve("latest.json");
    List<Row> rows = Results.merge(Results.read(file), fresh);
    Results.write(file, rows);
    String table = MarkdownTable.of(rows);
    Files.writeString(options.results().resolve("latest.md"), table);
    Charts.write(options.results(), rows);
    out.println();
    out.println(MarkdownTable.of(fresh));
    out.println("Written: " + file.normalize() + ", latest.md and charts beside it.");
    failures.forEach(failure -> out.println("FAILED " + failure));
  }
}

package dev.penstock.benchmarks.runner;

import com.google.gson.Gson;
import dev.penstock.benchmarks.CaseMain;
import dev.penstock.benchmarks.CaseOptions;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts the JVM of a case and reads what it measured. */
final class CaseLauncher {
  private static final Gson GSON = new Gson();
  private static final List<String> FLAGS =
      List.of("-Xms1g", "-Xmx1g", "-XX:MaxDirectMemorySize=1g", "-XX:+UseG1GC");

  /** Beyond warm-up and measurement: starting, stopping, and a margin for a busy machine. */
  private static final Duration MARGIN = Duration.ofSeconds(90);

  private final Path peers;
  private final Path logs;
  private final Duration warmUp;
  private final Duration measure;

  CaseLauncher(Path peers, Path logs, Duration warmUp, Duration measure) {
    this.peers = peers;
    this.logs = logs;
    this.warmUp = warmUp;
    this.measure = measure;
  }

  /** What a case prints. */
  private record Output(String version, String java, Map<String, Double> metrics) {}

  /**
   * Runs a case.
   *
   * @param progress called about once a second while it runs
   */
  Sample run(Case toRun, Runnable progress) throws IOException, InterruptedException {
    Files.createDirectories(logs);
    String name =
        toRun.workload().name().replace('/', '-')
            + "-"
            + toRun.system().id()
            + "-"
            + toRun.repetition();
    Path log = logs.resolve(name + ".log");
    Path out = logs.resolve(name + ".json");
    Process process =
        new ProcessBuilder(command(toRun))
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      await(process, toRun, log, progress);
    } finally {
      // Its descendants too: a case with two JVMs has started the second.
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    Output output = GSON.fromJson(Files.readString(out, StandardCharsets.UTF_8), Output.class);
    return new Sample(
        toRun.workload().name(),
        toRun.system().id(),
        toRun.repetition(),
        output.version(),
        output.java(),
        output.metrics());
  }

  private void await(Process process, Case toRun, Path log, Runnable progress)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + warmUp.plus(measure).plus(MARGIN).toNanos();
    while (!process.waitFor(1, TimeUnit.SECONDS)) {
      progress.run();
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(toRun.system().id() + " did not end in time, see " + log);
      }
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          toRun.system().id() + " failed with exit code " + process.exitValue() + ", see " + log);
    }
  }

  private List<String> command(Case toRun) throws IOException {
    SystemSpec system = toRun.system();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(system.jvmFlags());
    command.add("-cp");
    command.add(classPath(system));
    command.add(CaseMain.class.getName());
    command.addAll(
        new CaseOptions(toRun.workload(), system.className(), system.parameters(), warmUp, measure)
            .arguments());
    return command;
  }

  private String classPath(SystemSpec system) throws IOException {
    if (system.peer().isEmpty()) {
      return System.getProperty("java.class.path");
    }
    Path target = peers.resolve(system.peer()).resolve("target");
    Path file = target.resolve("class-path.txt");
    if (!Files.exists(file)) {
      throw new IOException(file + " is missing: build the peers first, mvn -Pbench package");
    }
    return target.resolve("classes") + File.pathSeparator + Files.readString(file).trim();
  }
}

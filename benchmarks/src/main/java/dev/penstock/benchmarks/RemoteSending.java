package dev.penstock.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Producers in a JVM of their own, which is told to stop through its standard input. */
final class RemoteSending implements Sending {
  static final String READY = "ready";
  static final String STOP = "stop";

  private final Process process;
  private final BufferedReader reader;
  private final Writer writer;
  private final CompletableFuture<Totals> result = new CompletableFuture<>();

  RemoteSending(CaseOptions options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(CaseMain.class.getName());
    command.addAll(options.arguments());
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    reader = process.inputReader(StandardCharsets.UTF_8);
    writer = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Tells the producers to start, once they have connected, and begins to wait for their totals.
   */
  @Override
  public void start(Schedule schedule) throws IOException {
    String line = reader.readLine();
    if (!READY.equals(line)) {
      throw new IOException(
          "the JVM of the producers said '" + line + "' instead of '" + READY + "'");
    }
    tell(schedule.text());
    Thread thread = new Thread(this::readTotals, "bench-remote-producers");
    thread.setDaemon(true);
    thread.start();
  }

  private void tell(String line) throws IOException {
    writer.write(line + "\n");
    writer.flush();
  }

  private void readTotals() {
    try {
      String line = reader.readLine();
      if (line == null) {
        throw new IOException("the JVM of the producers ended with exit code " + process.waitFor());
      }
      result.complete(Totals.parse(line));
    } catch (IOException | InterruptedException | RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  @Override
  public void check() throws Exception {
    if (result.isCompletedExceptionally()) {
      result.get();
    }
  }

  @Override
  public Totals stop(Duration deadline) throws Exception {
    tell(STOP);
    return result.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

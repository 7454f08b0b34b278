package dev.penstock.examples.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM on this JVM's class path, without flags. It is told what to do in lines on its standard
 * input and answers in lines on its standard output; it ends when its input does, so no child
 * outlives its parent.
 */
public final class ChildJvm implements AutoCloseable {
  /**
   * A line that a child said.
   *
   * @param from which child
   * @param text what it said; null when it will say nothing more
   */
  public record Line(ChildJvm from, String text) {
    /**
     * The line's first word.
     *
     * @return empty at the end
     */
    public String word() {
      return text == null ? "" : text.split(" ", 2)[0];
    }

    /**
     * What follows the first word.
     *
     * @return the words
     */
    public List<String> values() {
      String[] words = text.split(" ", -1);
      return List.of(words).subList(1, words.length);
    }
  }

  private final String name;
  private final Process process;
  private final BufferedWriter input;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input = process.outputWriter(UTF_8);
  }

  /**
   * Starts a child.
   *
   * @param name for people
   * @param main its main class
   * @param arguments of the main class
   * @param lines where its lines go
   * @return the child; close it
   * @throws IOException if no process can be started
   */
  public static ChildJvm start(
      String name, Class<?> main, List<String> arguments, BlockingQueue<Line> lines)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    ChildJvm child = new ChildJvm(name, process);
    Thread reader = new Thread(() -> child.readInto(lines), "lines of " + name);
    reader.setDaemon(true);
    reader.start();
    return child;
  }

  private void readInto(BlockingQueue<Line> lines) {
    try (BufferedReader output = process.inputReader(UTF_8)) {
      for (String text = output.readLine(); text != null; text = output.readLine()) {
        lines.add(new Line(this, text));
      }
    } catch (IOException e) {
      lines.add(new Line(this, "LOST " + e.getMessage()));
    }
    lines.add(new Line(this, null));
  }

  /**
   * Tells the child something.
   *
   * @param line one line
   */
  public void say(String line) {
    try {
      input.write(line);
      input.newLine();
      input.flush();
    } catch (IOException e) {
      throw new IllegalStateException(name + " does not listen any more", e);
    }
  }

  /**
   * Waits for the child's end.
   *
   * @param patience how long
   * @return its exit code; -1 if it still runs
   * @throws InterruptedException if the thread is interrupted
   */
  public int exitCode(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Ends the child by force if it has not ended by itself. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}

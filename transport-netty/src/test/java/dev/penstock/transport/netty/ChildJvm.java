package dev.penstock.transport.netty;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Another JVM on this one's class path. It is told what to do in lines on its standard input and
 * answers in lines that begin with a word; it ends when its input does. What it printed is part of
 * every failure.
 */
final class ChildJvm implements AutoCloseable {
  private static final int LINES_SHOWN = 200;

  private final String name;
  private final Process process;
  private final BufferedWriter input;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> lines = new ArrayList<>();
  private int seen;
  private boolean ended;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input = process.outputWriter(UTF_8);
  }

  static ChildJvm start(String name, Class<?> main, List<String> flags, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    command.addAll(List.of("-cp", classPath, main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    ChildJvm child = new ChildJvm(name, process);
    Thread reader = new Thread(child::read, "lines of " + name);
    reader.setDaemon(true);
    reader.start();
    return child;
  }

  private void read() {
    try (BufferedReader output = process.inputReader(UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        add(line, false);
      }
      add("(end of output)", true);
    } catch (IOException e) {
      add("(output lost: " + e + ")", true);
    }
  }

  private void add(String line, boolean last) {
    lock.lock();
    try {
      lines.add(line);
      ended |= last;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next line that begins with a word; returns what follows it. */
  String await(String word, Duration patience) throws InterruptedException {
    long left = patience.toNanos();
    lock.lock();
    try {
      while (true) {
        while (seen < lines.size()) {
          String line = lines.get(seen++);
          if (line.equals(word) || line.startsWith(word + " ")) {
            return line.substring(word.length()).strip();
          }
        }
        if (ended || left <= 0) {
          throw new AssertionError(
              name + (ended ? " ended and never said " : " has not said ") + word + output());
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a line that is a word; returns the lines since the last that was waited for. */
  List<String> until(String word, Duration patience) throws InterruptedException {
    int from = seen;
    await(word, patience);
    return List.copyOf(lines.subList(from, seen - 1));
  }

  /** What it printed last, for a failure's text. */
  String output() {
    lock.lock();
    try {
      int from = Math.max(0, lines.size() - LINES_SHOWN);
      return "\n--- output of "
          + name
          + "\n"
          + String.join("\n", lines.subList(from, lines.size()));
    } finally {
      lock.unlock();
    }
  }

  void say(String line) {
    try {
      input.write(line);
      input.newLine();
      input.flush();
    } catch (IOException e) {
      throw new AssertionError(name + " does not listen any more" + output(), e);
    }
  }

  /** Sends a signal: STOP freezes it with its sockets open, CONT lets it go on, KILL ends it. */
  void signal(String signal) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new AssertionError("cannot send " + signal + " to " + name + output());
    }
  }

  /** Waits for its end and says how that was. */
  int exitCode(Duration patience) throws InterruptedException {
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError(name + " has not ended" + output());
    }
    return process.exitValue();
  }

  /** Ends it by force if it has not ended by itself. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}

package dev.penstock.benchmarks.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/** What the figures were measured on, and whether it was idle. */
final class Machine {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
  private static final Path STAT = Path.of("/proc/stat");
  private static final int FIRST_TIME_FIELD = 1;
  private static final int IDLE_FIELD = 4;

  private Machine() {}

  /** Processor, cores and kernel in one line. */
  static String describe() {
    return Runtime.getRuntime().availableProcessors()
        + " × "
        + processor()
        + ", "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.version");
  }

  private static String processor() {
    try {
      return Files.readAllLines(CPU_INFO).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  /**
   * Whether standard output is a terminal; the console object says so on some versions of Java
   * only.
   */
  static boolean writesToTerminal() {
    try {
      String target = Files.readSymbolicLink(STANDARD_OUTPUT).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The share of the processors that others used during one second; empty where the system does not
   * tell.
   */
  static OptionalDouble busy() throws InterruptedException {
    try {
      long[] before = times();
      Thread.sleep(1000);
      long[] after = times();
      double total = after[0] - before[0];
      return total <= 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(1 - (after[1] - before[1]) / total);
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
  }

  /** All time and idle time, in ticks. */
  private static long[] times() throws IOException {
    List<String> lines = Files.readAllLines(STAT);
    String[] fields = lines.get(0).split(" +", -1);
    long total = 0;
    for (int i = FIRST_TIME_FIELD; i < fields.length; i++) {
      total += Long.parseLong(fields[i]);
    }
    return new long[] {total, Long.parseLong(fields[IDLE_FIELD])};
  }
}

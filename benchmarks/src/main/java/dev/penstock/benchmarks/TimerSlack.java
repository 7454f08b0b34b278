package dev.penstock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How late the kernel may wake a parked thread: 50 µs unless asked, which would drown the latencies
 * measured here.
 */
final class TimerSlack {
  private static final Path CURRENT_THREAD = Path.of("/proc/thread-self");

  private TimerSlack() {}

  /**
   * Asks for the smallest slack for the calling thread.
   *
   * @return whether the system allowed it; elsewhere than on Linux, or without the right, it does
   *     not
   */
  static boolean minimise() {
    try {
      String thread = Files.readSymbolicLink(CURRENT_THREAD).getFileName().toString();
      Files.writeString(Path.of("/proc", thread, "timerslack_ns"), "1");
      return true;
    } catch (IOException | SecurityException | UnsupportedOperationException e) {
      return false;
    }
  }
}

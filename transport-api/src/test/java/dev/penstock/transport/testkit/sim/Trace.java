package dev.penstock.transport.testkit.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What happened, as a running hash of numbers; when a run is repeated to explain a failure, its
 * tail as lines, too.
 */
final class Trace {
  private static final int TAIL = Integer.getInteger("penstock.sim.tail", 200);

  private final boolean recording;
  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private long hash = 0x9E3779B97F4A7C15L;
  private long events;

  Trace(boolean recording) {
    this.recording = recording;
  }

  void mix(long value) {
    hash = Long.rotateLeft((hash ^ value) * 0xBF58476D1CE4E5B9L, 29);
  }

  void event() {
    events++;
  }

  boolean recording() {
    return recording;
  }

  void line(long now, Supplier<String> text) {
    if (recording) {
      if (lines.size() == TAIL) {
        lines.removeFirst();
      }
      lines.addLast(String.format("%12.6f ms  %s", now / 1e6, text.get()));
    }
  }

  long hash() {
    return hash;
  }

  long events() {
    return events;
  }

  List<String> tail() {
    return new ArrayList<>(lines);
  }
}

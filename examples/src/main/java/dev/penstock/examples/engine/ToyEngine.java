package dev.penstock.examples.engine;

import dev.penstock.examples.support.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Starts three sources and two sinks, each in a JVM of its own, and checks that all adds up. */
public final class ToyEngine {
  static final long EXCHANGE = 1;

  private static final int SOURCES = 3;
  private static final int SINKS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int epochs;
  private final BlockingQueue<ChildJvm.Line> lines = new LinkedBlockingQueue<>();
  private final List<ChildJvm> children = new ArrayList<>();
  private long wrote;
  private long took;
  private int aligned;

  private ToyEngine(int epochs) {
    this.epochs = epochs;
  }

  /**
   * Runs the engine.
   *
   * @param args how many epochs, one second each; default 5
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    new ToyEngine(args.length == 0 ? 5 : Integer.parseInt(args[0])).run();
  }

  private void run() throws IOException, InterruptedException {
    try {
      for (int source = 0; source < SOURCES; source++) {
        start("source-" + source, Source.class, List.of("" + source, "" + SINKS, "" + epochs));
      }
      List<String> ports = sourcePorts();
      for (int sink = 0; sink < SINKS; sink++) {
        List<String> arguments = new ArrayList<>(List.of("" + sink));
        arguments.addAll(ports);
        start("sink-" + sink, Sink.class, arguments);
      }
      while (!children.isEmpty()) {
        take(nextLine());
      }
      if (wrote != took || wrote == 0 || aligned != epochs * SINKS) {
        throw new IllegalStateException(
            wrote + " written, " + took + " taken, " + aligned + " epochs aligned");
      }
      System.out.println("All " + took + " messages taken, every epoch aligned");
    } finally {
      children.forEach(ChildJvm::close);
    }
  }

  private void start(String name, Class<?> main, List<String> arguments) throws IOException {
    children.add(ChildJvm.start(name, main, arguments, lines));
  }

  private List<String> sourcePorts() throws InterruptedException {
    Map<ChildJvm, String> ports = new HashMap<>();
    while (ports.size() < SOURCES) {
      ChildJvm.Line line = nextLine();
      if (line.word().equals("BOUND")) {
        ports.put(line.from(), line.values().get(0));
      } else {
        take(line);
      }
    }
    return children.stream().map(ports::get).toList();
  }

  private ChildJvm.Line nextLine() throws InterruptedException {
    ChildJvm.Line line = lines.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null) {
      throw new IllegalStateException("nothing heard for " + PATIENCE);
    }
    return line;
  }

  private void take(ChildJvm.Line line) throws InterruptedException {
    if (line.text() == null) {
      int code = line.from().exitCode(PATIENCE);
      if (code != 0) {
        throw new IllegalStateException(line.from() + " ended with code " + code);
      }
      children.remove(line.from());
      return;
    }
    System.out.println(line.from() + ": " + line.text());
    switch (line.word()) {
      case "WROTE" -> wrote += Long.parseLong(line.values().get(0));
      case "TOOK" -> took += Long.parseLong(line.values().get(0));
      case "ALIGNED" -> aligned++;
      default -> throw new IllegalStateException(line.from() + ": " + line.text());
    }
  }
}

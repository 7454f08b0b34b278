package dev.penstock.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.transport.MemoryBudget;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.TransportSnapshot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A child JVM of the demo: one transport, and two gates in every phase. */
abstract class Node {
  /** Gates per node. */
  static final int GATES = 2;

  private final String name;
  private final Transport transport;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "demo");
            thread.setDaemon(true);
            return thread;
          });

  Node(String name) {
    this.name = name;
    this.transport = Transport.open(TransportOptions.builder().nodeName(name).build());
  }

  final Transport transport() {
    return transport;
  }

  /** Opens the gates of a phase; what each returned does runs on a thread of its own. */
  abstract List<Callable<Void>> open(Phase phase);

  /** Connects to the producers' nodes, which gates will find there. */
  void connect(List<InetSocketAddress> nodes) {
    throw new UnsupportedOperationException("consumers dial");
  }

  /** Records that were taken so far. */
  abstract long progress();

  /** Does what the lines of the standard input say. */
  final void run() throws IOException {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      List<String> words = List.of(line.split(" ", -1));
      List<String> values = words.subList(1, words.size());
      switch (words.get(0)) {
        case "CONNECT" -> connect(addresses(values));
        case "PHASE" -> begin(Phase.parse(values));
        case "PROGRESS" -> say("PROGRESS", progress());
        case "SNAPSHOT" -> System.err.println(name + ":\n" + transport.snapshot());
        case "QUIT" -> {
          transport.close();
          return;
        }
        default -> throw new IOException("no such command: " + line);
      }
    }
    Runtime.getRuntime().halt(1); // the parent is gone
  }

  private static List<InetSocketAddress> addresses(List<String> ports) {
    return ports.stream()
        .map(port -> new InetSocketAddress("localhost", Integer.parseInt(port)))
        .toList();
  }

  private void begin(Phase phase) {
    List<Callable<Void>> gates = open(phase);
    threads.execute(() -> finish(gates));
  }

  private void finish(List<Callable<Void>> gates) {
    try {
      List<Future<Void>> running = new ArrayList<>();
      for (Callable<Void> gate : gates) {
        running.add(threads.submit(gate));
      }
      for (Future<Void> gate : running) {
        gate.get();
      }
      sayTotals();
      say("DONE");
    } catch (ExecutionException | InterruptedException e) {
      say("FAILED", e);
      System.err.println(name + ":\n" + transport.snapshot());
    }
  }

  private void sayTotals() {
    long sent = 0;
    long resumes = 0;
    long retransmitted = 0;
    for (TransportSnapshot.SessionState session : transport.snapshot().sessions()) {
      sent += session.bytesSent();
      resumes += session.resumes();
      retransmitted += session.retransmittedFrames();
    }
    MemoryBudget memory = transport.defaultBudget();
    say("NODE", sent, resumes, retransmitted, memory.outputBytesPeak(), memory.inputBytesPeak());
  }

  /** Says a line on the standard output. */
  static void say(String word, Object... values) {
    StringBuilder line = new StringBuilder(word);
    for (Object value : values) {
      line.append(' ').append(value);
    }
    System.out.println(line.toString().replace('\n', ' '));
  }
}

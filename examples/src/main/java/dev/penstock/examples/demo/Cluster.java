package dev.penstock.examples.demo;

import dev.penstock.examples.support.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** The child JVMs of the demo, and the proxies between them. */
final class Cluster implements AutoCloseable {
  static final int NODES = 2;
  static final int GATES = NODES * Node.GATES;

  private static final long TICK_MILLIS = 200;
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final Duration END = Duration.ofSeconds(20);

  private final BlockingQueue<ChildJvm.Line> lines = new LinkedBlockingQueue<>();
  private final List<ChildJvm> producers = new ArrayList<>();
  private final List<ChildJvm> consumers = new ArrayList<>();
  private final List<CuttingProxy> proxies = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final Map<ChildJvm, Long> progress = new HashMap<>();

  private Cluster() {}

  /** Starts everything and waits until it is there. */
  static Cluster start(String input) throws IOException, InterruptedException {
    Cluster cluster = new Cluster();
    try {
      cluster.startAll(input);
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private void startAll(String input) throws IOException, InterruptedException {
    for (int node = 0; node < NODES; node++) {
      List<String> number = List.of(Integer.toString(node));
      consumers.add(ChildJvm.start("consumers-" + node, ConsumerNode.class, number, lines));
      List<String> arguments =
          List.of(Integer.toString(node), Integer.toString(NODES), Integer.toString(GATES), input);
      producers.add(ChildJvm.start("producers-" + node, ProducerNode.class, arguments, lines));
    }
    Map<ChildJvm, ChildJvm.Line> ready = awaitFrom(all(), "READY");
    for (ChildJvm producer : producers) {
      int port = Integer.parseInt(ready.get(producer).values().get(0));
      ports.add(port);
      proxies.add(new CuttingProxy(port));
    }
  }

  private Collection<ChildJvm> all() {
    List<ChildJvm> all = new ArrayList<>(producers);
    all.addAll(consumers);
    return all;
  }

  private void sayTo(Collection<ChildJvm> children, String line) {
    children.forEach(child -> child.say(line));
  }

  /** Connects the consumers' nodes to the producers' nodes, without anything between. */
  void connectDirectly() throws InterruptedException {
    connect(ports);
  }

  /** Connects the consumers' nodes to the producers' nodes through proxies. */
  void connectThroughProxies() throws IOException, InterruptedException {
    List<Integer> proxyPorts = new ArrayList<>();
    for (CuttingProxy proxy : proxies) {
      proxyPorts.add(proxy.port());
    }
    connect(proxyPorts);
  }

  private void connect(List<Integer> nodePorts) throws InterruptedException {
    sayTo(
        consumers,
        "CONNECT " + nodePorts.stream().map(Object::toString).collect(Collectors.joining(" ")));
    awaitFrom(consumers, "CONNECTED");
  }

  /** Cuts every connection that goes through a proxy; returns how many there were. */
  int cut() {
    return proxies.stream().mapToInt(CuttingProxy::cut).sum();
  }

  /**
   * Runs a phase.
   *
   * @param tick called several times a second with the number of records taken since the start
   */
  PhaseResult run(Phase phase, LongConsumer tick) throws InterruptedException {
    PhaseResult result = new PhaseResult(GATES, GATES);
    sayTo(all(), "PHASE " + phase.text());
    Set<ChildJvm> working = new HashSet<>(all());
    long before = -1;
    long changed = System.nanoTime();
    while (!working.isEmpty()) {
      ChildJvm.Line line = lines.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      if (line == null) {
        sayTo(consumers, "PROGRESS");
        continue;
      }
      check(line);
      result.take(line);
      switch (line.word()) {
        case "DONE" -> working.remove(line.from());
        case "PROGRESS" -> progress.put(line.from(), Long.valueOf(line.values().get(0)));
        default -> {
          // for the result
        }
      }
      long now = progress.values().stream().mapToLong(Long::longValue).sum();
      if (now != before || System.nanoTime() - phase.startNanos() < 0) {
        before = now;
        changed = System.nanoTime();
      } else if (System.nanoTime() - changed > STALL_NANOS) {
        fail("no progress; still at work: " + working);
      }
      tick.accept(now);
    }
    return result;
  }

  private void check(ChildJvm.Line line) throws InterruptedException {
    if (line.text() == null) {
      throw new DemoFailure(line.from() + " ended with code " + line.from().exitCode(END));
    }
    if (line.word().equals("FAILED")) {
      fail(line.from() + ": " + line.text());
    }
  }

  /** Has every node say what its channels wait for, and gives up. */
  private void fail(String reason) throws InterruptedException {
    sayTo(all(), "SNAPSHOT");
    TimeUnit.SECONDS.sleep(2); // for the snapshots to be printed
    throw new DemoFailure(reason);
  }

  private Map<ChildJvm, ChildJvm.Line> awaitFrom(Collection<ChildJvm> children, String word)
      throws InterruptedException {
    Map<ChildJvm, ChildJvm.Line> said = new HashMap<>();
    while (said.size() < children.size()) {
      ChildJvm.Line line = lines.poll(STALL_NANOS, TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new DemoFailure("only " + said.keySet() + " said " + word);
      }
      check(line);
      if (line.word().equals(word)) {
        said.put(line.from(), line);
      }
    }
    return said;
  }

  /** Ends every node and waits for it. */
  void quit() throws InterruptedException {
    sayTo(all(), "QUIT");
    for (ChildJvm child : all()) {
      int code = child.exitCode(END);
      if (code != 0) {
        throw new DemoFailure(child + " ended with code " + code + " (-1: not at all)");
      }
    }
  }

  @Override
  public void close() throws IOException {
    all().forEach(ChildJvm::close);
    for (CuttingProxy proxy : proxies) {
      proxy.close();
    }
  }
}

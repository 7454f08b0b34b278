package dev.penstock.benchmarks;

import dev.penstock.benchmarks.netty.NettySystem;
import dev.penstock.benchmarks.penstock.PenstockSystem;
import dev.penstock.benchmarks.socket.SocketSystem;
import java.time.Duration;
import java.util.Map;

/** Both halves of a system, for a JMH benchmark whose threads are the producers. */
final class JmhHalves {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Map<String, Class<? extends MessageSystem>> SYSTEMS =
      Map.of(
          "raw-socket", SocketSystem.class,
          "netty", NettySystem.class,
          "penstock", PenstockSystem.class);

  private final Workload workload;
  private final MessageSystem system;
  private final Receivers<CountingSink> receivers;

  JmhHalves(String systemName, String workloadName) throws Exception {
    workload = Workload.named(workloadName);
    receivers = new Receivers<>(workload.channels(), consumer -> new CountingSink(true));
    system =
        SYSTEMS.get(systemName).getConstructor(Parameters.class).newInstance(Parameters.parse(""));
    system.connect(workload, system.listen(workload, receivers));
  }

  Producer producer(int index) throws Exception {
    return system.producer(index);
  }

  RecordPool records(int producer) {
    return new RecordPool(workload, producer);
  }

  /** Waits until the consumers have everything. */
  void close() throws Exception {
    try (system) {
      receivers.await(DEADLINE);
    }
  }
}

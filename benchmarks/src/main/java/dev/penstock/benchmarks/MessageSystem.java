package dev.penstock.benchmarks;

import java.io.IOException;
import java.util.Map;

/**
 * One way of moving records from producers to consumers, as measured.
 *
 * <p>Implementations have a public constructor that takes {@link Parameters}. In a run with one JVM
 * all methods are called on one object; with two JVMs {@link #listen} is called in one and {@link
 * #connect} and {@link #producer} in the other.
 */
public interface MessageSystem extends AutoCloseable {

  /**
   * Starts the receiving half on the loopback interface.
   *
   * @param workload how many producers and consumers, and how large the records are
   * @param sinks where received records go; ask for one sink per receiving thread or connection
   * @return what the sending half needs in order to reach this one, a single line
   */
  String listen(Workload workload, Sinks sinks) throws Exception;

  /**
   * Connects the sending half; returns when records can be sent.
   *
   * @param workload the same as for {@link #listen}
   * @param endpoint what {@link #listen} returned
   */
  void connect(Workload workload, String endpoint) throws Exception;

  /**
   * A producer, to be used and closed by the calling thread alone.
   *
   * @param index 0 to {@code workload.producers() - 1}
   */
  Producer producer(int index) throws Exception;

  /** Cuts all connections between the halves, while records flow. */
  default void cut() throws IOException {
    throw new UnsupportedOperationException("this system's connections cannot be cut");
  }

  /** What the system itself has measured, for example its memory; asked before it is closed. */
  default Map<String, Double> metrics() {
    return Map.of();
  }

  /** The version of the measured library. */
  String version();

  /** Releases everything; called after all channels have ended, or after a failure. */
  @Override
  void close() throws IOException;
}

package dev.penstock.benchmarks;

import java.time.Duration;

/** The sending half of a case, in this JVM or in another. */
interface Sending extends AutoCloseable {

  /** Starts the producers, once the receiving half is ready. */
  void start(Schedule schedule) throws Exception;

  /** Fails when a producer has failed. */
  void check() throws Exception;

  /** Lets the producers end, and waits for it. */
  Totals stop(Duration deadline) throws Exception;

  @Override
  void close();
}

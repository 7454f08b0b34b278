package dev.penstock.benchmarks;

/** Where a system delivers what it receives. */
public interface Sinks {

  /**
   * A new sink for records of one consumer. It is called by one thread at a time; a system with
   * several threads or connections for one consumer asks for several sinks.
   */
  RecordSink sink(int consumer);

  /**
   * Says that {@code channels} channels (one producer to one consumer) have delivered everything
   * and ended.
   */
  void ended(int channels);

  /** Says that receiving has failed; the case then fails with this cause. */
  void failed(Throwable cause);
}

package dev.penstock.benchmarks;

/**
 * Takes received records. A case loads exactly one implementation, so that the call is inlined in
 * every system.
 */
public abstract class RecordSink {

  /**
   * Takes one record.
   *
   * @param length bytes of the record, without its length prefix
   * @param head the first eight bytes of the record, big-endian
   */
  public abstract void accept(int length, long head);
}

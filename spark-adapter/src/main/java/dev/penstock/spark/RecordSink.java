package dev.penstock.spark;

/** Turns records into messages. */
interface RecordSink {
  /**
   * Takes one record; its objects are free to change afterwards.
   *
   * @param partition where it goes
   */
  void write(int partition, Object key, Object value);

  /** Sends what is held back. */
  void flush();
}

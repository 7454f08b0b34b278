package dev.penstock.benchmarks;

import java.io.IOException;

/** The sending end of a system for one producer thread. */
public interface Producer extends AutoCloseable {

  /**
   * Copies one record in, waiting while the system pushes back. The record may leave later,
   * together with others.
   *
   * @param consumer 0 to {@code workload.consumers() - 1}
   * @param record the whole record; may be changed by the caller after the call
   */
  void send(int consumer, byte[] record) throws Exception;

  /**
   * Copies one record in if there is room for it, without waiting.
   *
   * @return whether the record was taken
   */
  default boolean trySend(int consumer, byte[] record) throws Exception {
    throw new UnsupportedOperationException("this system cannot send without waiting");
  }

  /** Lets everything sent so far leave now. */
  void flush() throws Exception;

  /** Sends what is left and ends each channel of this producer. */
  @Override
  void close() throws IOException;
}

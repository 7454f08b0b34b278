package dev.penstock.transport.spi;

import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;

/** Makes transports; found with {@link java.util.ServiceLoader}. */
public interface TransportProvider {
  /**
   * Opens a transport.
   *
   * @param options its settings
   * @return a new node
   */
  Transport open(TransportOptions options);
}

package dev.penstock.transport.netty;

import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.spi.TransportProvider;

/** Opens transports over Netty; found with {@link java.util.ServiceLoader}. */
public final class NettyTransportProvider implements TransportProvider {
  /** Creates one; for the service loader. */
  public NettyTransportProvider() {}

  @Override
  public Transport open(TransportOptions options) {
    return NettyTransport.open(options);
  }
}

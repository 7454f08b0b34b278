package dev.penstock.transport;

import dev.penstock.transport.spi.TransportProvider;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;

/**
 * One node: it accepts and makes connections, and gives gates to producers and consumers. Two
 * transports in one JVM are two nodes and share nothing but event loops and their allocator ({@link
 * TransportOptions#eventLoops()}).
 *
 * <p>Thread safe. Only {@link #bind}, {@link #snapshot} and {@link #close} block.
 */
public interface Transport extends AutoCloseable {
  /**
   * Opens a transport of the one implementation on the class path. It runs event loop threads from
   * now on, so close it.
   *
   * @param options its settings
   * @return a new node, not bound yet
   * @throws TransportException if no implementation or codec is there, or the options do not work
   *     on this machine
   */
  static Transport open(TransportOptions options) {
    List<TransportProvider> providers =
        ServiceLoader.load(TransportProvider.class, Transport.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    if (providers.size() != 1) {
      throw new TransportException(
          ErrorCode.INTERNAL,
          "expected one implementation of Transport on the class path, found "
              + providers.size()
              + ": add dev.penstock:penstock-transport-netty once");
    }
    return providers.get(0).open(options);
  }

  /**
   * Listens for connections. May be called for several addresses. Blocks until bound.
   *
   * @param address where; port 0 for any free one
   * @return the address bound
   * @throws TransportException with {@link ErrorCode#ADDRESS_UNAVAILABLE} if the address cannot be
   *     bound: the port is taken, or the address or the port is not for this process
   */
  InetSocketAddress bind(InetSocketAddress address);

  /**
   * Connects to a node ahead of need and shows whether both sides trust each other. Gates dial by
   * themselves.
   *
   * @param node where it is bound
   * @return completed with the node's name when a lane is up; exceptionally with a {@link
   *     TransportException}: for a node that cannot be reached, when it has been tried for {@link
   *     TransportOptions#resumeWindow()}
   */
  CompletableFuture<String> dial(InetSocketAddress node);

  /**
   * Opens a producer's gate.
   *
   * @param options what it is
   * @return the gate; close it
   * @throws TransportException with RESOURCE_EXHAUSTED if the budget has no floors left for its
   *     channels, FENCED if a newer attempt is registered
   */
  OutputGate openOutput(OutputGateOptions options);

  /**
   * Opens a consumer's gate.
   *
   * @param options what it is
   * @return the gate; close it
   * @throws TransportException with FENCED if a newer attempt is registered
   */
  InputGate openInput(InputGateOptions options);

  /**
   * Makes a budget for gates of this transport.
   *
   * @param bytes all of it, per direction
   * @param channels how many channels it serves at most; the floor is {@code bytes / (2 *
   *     channels)}, at least 1 KiB
   * @return the budget; it needs no closing
   */
  MemoryBudget createBudget(long bytes, int channels);

  /**
   * The budget of gates that name none.
   *
   * @return as {@link TransportOptions#budgetBytes} and {@link TransportOptions#budgetChannels} say
   */
  MemoryBudget defaultBudget();

  /**
   * Looks at everything. Waits for every event loop, so it refuses to be called on one, as a {@link
   * TransportListener} is.
   *
   * @return which channel waits for whom
   * @throws IllegalStateException on an event loop of this transport
   */
  TransportSnapshot snapshot();

  /**
   * Where this node listens.
   *
   * @return the bound addresses
   */
  List<SocketAddress> boundAddresses();

  /** Closes with {@link TransportOptions#drainTimeout()}, see {@link #close(Duration)}. */
  @Override
  void close();

  /**
   * Takes no new channels, lets live ones finish for a while, fails the rest, and releases every
   * thread, socket and buffer. Blocks until done. Calls after the first wait for it, for their own
   * {@code drain} and a little. A thread that is interrupted no longer waits for live channels: it
   * closes at once and stays interrupted.
   *
   * @param drain how long live channels may go on, of any length; zero for not at all
   */
  void close(Duration drain);
}

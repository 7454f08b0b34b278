package dev.penstock.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes bytes on between two nodes, and can cut all connections at once. */
public final class CuttingProxy implements AutoCloseable {
  private static final int BUFFER_SIZE = 256 * 1024;

  private final List<SocketChannel> open = new CopyOnWriteArrayList<>();
  private final ServerSocketChannel server;
  private final InetSocketAddress target;

  /** Starts one; what connects to {@link #address} is connected to {@code target}. */
  public CuttingProxy(InetSocketAddress target) throws IOException {
    this.target = target;
    server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    startDaemon(this::accept);
  }

  /** Where to connect to. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) server.getLocalAddress();
  }

  /** Closes all connections, with whatever is in them. New ones are accepted at once. */
  public void cut() throws IOException {
    for (SocketChannel channel : open) {
      channel.close();
    }
    open.clear();
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel near = server.accept();
        open.add(near);
        SocketChannel far = SocketChannel.open(target);
        open.add(far);
        startDaemon(() -> pass(near, far));
        startDaemon(() -> pass(far, near));
      } catch (IOException e) {
        // Closed by cut() or close() just now: whoever connected sees it and tries again.
      }
    }
  }

  private static void pass(SocketChannel from, SocketChannel to) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    try (from;
        to) {
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        buffer.clear();
      }
    } catch (IOException e) {
      // Cut on purpose, or reset by a node: closing both ends hands that on.
    }
  }

  private static void startDaemon(Runnable body) {
    Thread thread = new Thread(body, "bench-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}

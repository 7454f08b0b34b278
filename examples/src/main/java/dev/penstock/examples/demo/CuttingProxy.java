package dev.penstock.examples.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;

/**
 * A TCP proxy between consumers and one producers' node that can cut all its connections, so that
 * real sockets break with data on their way.
 */
final class CuttingProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 << 10;

  private final InetSocketAddress target;
  private final ServerSocketChannel server;
  private final Set<Relay> relays = new HashSet<>();
  private boolean closed;

  CuttingProxy(int targetPort) throws IOException {
    this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
    this.server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    start("proxy", this::accept);
  }

  int port() throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  /** Cuts every connection there is; new ones are taken as before. Returns how many there were. */
  synchronized int cut() {
    int count = relays.size();
    Set.copyOf(relays).forEach(Relay::close);
    return count;
  }

  @Override
  public void close() throws IOException {
    server.close();
    synchronized (this) {
      closed = true;
      cut();
    }
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel dialer = server.accept();
        connect(dialer);
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void connect(SocketChannel dialer) throws IOException {
    SocketChannel acceptor;
    try {
      acceptor = SocketChannel.open(target);
    } catch (IOException e) {
      dialer.close(); // the node is not there: so it seems to the dialer
      return;
    }
    Relay relay = new Relay(dialer, acceptor);
    synchronized (this) {
      relays.add(relay);
      if (closed) {
        relay.close();
      }
    }
    start("proxy to acceptor", () -> relay.pump(dialer, acceptor));
    start("proxy to dialer", () -> relay.pump(acceptor, dialer));
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** One connection: what comes at one end goes out at the other. */
  private final class Relay {
    private final SocketChannel dialer;
    private final SocketChannel acceptor;

    Relay(SocketChannel dialer, SocketChannel acceptor) {
      this.dialer = dialer;
      this.acceptor = acceptor;
    }

    void pump(SocketChannel from, SocketChannel to) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      try {
        to.setOption(StandardSocketOptions.TCP_NODELAY, true);
        while (from.read(buffer) >= 0) {
          buffer.flip();
          while (buffer.hasRemaining()) {
            to.write(buffer);
          }
          buffer.clear();
        }
      } catch (IOException e) {
        // cut, or one end is gone: the other one goes, too
      } finally {
        close();
      }
    }

    void close() {
      synchronized (CuttingProxy.this) {
        relays.remove(this);
      }
      try (dialer;
          acceptor) {
        // closing is all
      } catch (IOException e) {
        // they are gone all the same
      }
    }
  }
}

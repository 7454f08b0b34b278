package dev.penstock.transport.netty;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A network in between that misbehaves when told to: it cuts, stalls and alters connections. */
final class Proxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 * 1024;

  /** What becomes of bytes on their way. */
  interface Filter {
    /** Hands everything on. */
    Filter NONE = (connection, fromDialer, bytes, out) -> out.write(bytes);

    /**
     * Hands on what it likes. Called on one thread per direction.
     *
     * @param connection its number, from 0
     * @param fromDialer the direction
     * @param bytes what came
     * @param out to the other side
     */
    void pass(int connection, boolean fromDialer, byte[] bytes, OutputStream out)
        throws IOException;
  }

  private final InetSocketAddress target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile Filter filter = Filter.NONE;
  private boolean stalled;
  private volatile boolean refusing;
  private volatile boolean closed;

  Proxy(InetSocketAddress target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    start("proxy-accept", this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /** Connections made so far. */
  int connections() {
    return connections.get();
  }

  void filter(Filter next) {
    filter = next;
  }

  /** Breaks all connections. */
  void cut() {
    sockets.forEach(Proxy::reset);
  }

  /** From now on connections are taken and broken at once, or not any more. */
  void refuse(boolean value) {
    refusing = value;
    if (value) {
      cut();
    }
  }

  /** Hands nothing on, and closes nothing, until told otherwise. */
  void stall(boolean value) {
    lock.lock();
    try {
      stalled = value;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    listening.close();
    cut();
    stall(false);
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!closed) {
      Socket dialer;
      try {
        dialer = listening.accept();
      } catch (IOException e) {
        continue; // closed, or the dialer is gone
      }
      sockets.add(dialer);
      if (refusing || !connect(dialer)) {
        forget(dialer);
      }
    }
  }

  /** Returns false if the target is gone, or the connection was cut: whoever dialed sees it. */
  private boolean connect(Socket dialer) {
    Socket acceptor = new Socket();
    // Known before it is connected, so that a cut or a close finds it at any time.
    sockets.add(acceptor);
    try {
      acceptor.connect(target);
      dialer.setTcpNoDelay(true);
      acceptor.setTcpNoDelay(true);
    } catch (IOException e) {
      forget(acceptor);
      return false;
    }
    int number = connections.getAndIncrement();
    AtomicInteger ends = new AtomicInteger(2);
    start("proxy-out", () -> pump(number, true, dialer, acceptor, ends));
    start("proxy-in", () -> pump(number, false, acceptor, dialer, ends));
    if (closed || refusing) {
      cut();
    }
    return true;
  }

  private void forget(Socket socket) {
    reset(socket);
    sockets.remove(socket);
  }

  private void pump(int number, boolean fromDialer, Socket from, Socket to, AtomicInteger ends) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int length = in.read(buffer);
      while (length >= 0) {
        awaitFlow();
        filter.pass(number, fromDialer, Arrays.copyOf(buffer, length), out);
        length = in.read(buffer);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      reset(from);
      reset(to);
    }
    if (ends.decrementAndGet() == 0) {
      forget(from);
      forget(to);
    }
  }

  private void awaitFlow() {
    lock.lock();
    try {
      while (stalled && !closed) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (SocketException e) {
      // Closed already.
    }
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

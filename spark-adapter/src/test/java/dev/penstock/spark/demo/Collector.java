package dev.penstock.spark.demo;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hears from the sinks in all executors what they have got: id, created, received. */
public final class Collector implements AutoCloseable {
  /** One row as a sink saw it, times in epoch milliseconds. */
  public record Seen(long id, long created, long received) {
    /** How long it was under way. */
    public long latencyMillis() {
      return received - created;
    }
  }

  private final ServerSocket server;
  private final List<Seen> seen = new ArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Listens on a free port of this machine. */
  public Collector() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("collector", this::accept);
  }

  /** Where sinks connect to. */
  public int port() {
    return server.getLocalPort();
  }

  /** What came so far. */
  public List<Seen> seen() {
    synchronized (seen) {
      return new ArrayList<>(seen);
    }
  }

  /** How many rows came so far. */
  public int count() {
    synchronized (seen) {
      return seen.size();
    }
  }

  private static void start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        start("collector-" + socket.getPort(), () -> read(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void read(Socket socket) {
    try (socket;
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
      while (true) {
        Seen row = new Seen(in.readLong(), in.readLong(), in.readLong());
        synchronized (seen) {
          seen.add(row);
        }
      }
    } catch (EOFException e) {
      // That sink is through.
    } catch (IOException e) {
      // Its executor died, or this is closing.
    } finally {
      open.remove(socket);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}

package dev.penstock.benchmarks.socket;

import dev.penstock.benchmarks.MessageSystem;
import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.RecordParser;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.benchmarks.Workload;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Blocking {@link SocketChannel}s, one connection per channel, one reading thread per connection.
 * The producer copies records into a direct buffer and writes it when it is full.
 */
public final class SocketSystem implements MessageSystem {
  private static final int HELLO_SIZE = Integer.BYTES;

  private final int readSize;
  private ServerSocketChannel server;
  private SocketChannel[][] connections;

  public SocketSystem(Parameters parameters) {
    readSize = parameters.getInt("read", 64 * 1024);
  }

  @Override
  public String listen(Workload workload, Sinks sinks) throws IOException {
    server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    startDaemon(() -> accept(workload.channels(), sinks), "bench-acceptor");
    return String.valueOf(((InetSocketAddress) server.getLocalAddress()).getPort());
  }

  private void accept(int channels, Sinks sinks) {
    try {
      for (int i = 0; i < channels; i++) {
        SocketChannel connection = server.accept();
        startDaemon(() -> receive(connection, sinks), "bench-consumer-" + i);
      }
    } catch (AsynchronousCloseException e) {
      // close() ends the wait of a case that failed before all connections came.
    } catch (IOException e) {
      sinks.failed(e);
    }
  }

  private void receive(SocketChannel connection, Sinks sinks) {
    try (connection) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(readSize);
      buffer.limit(HELLO_SIZE);
      while (buffer.hasRemaining()) {
        read(connection, buffer);
      }
      RecordParser parser = new RecordParser(sinks.sink(buffer.getInt(0)));
      buffer.clear();
      while (connection.read(buffer) >= 0) {
        parser.parse(buffer.flip());
        buffer.clear();
      }
      if (!parser.atBoundary()) {
        throw new EOFException("the connection ended inside a record");
      }
      sinks.ended(1);
    } catch (IOException | RuntimeException e) {
      sinks.failed(e);
    }
  }

  private static void read(SocketChannel connection, ByteBuffer buffer) throws IOException {
    if (connection.read(buffer) < 0) {
      throw new EOFException("the connection ended before it said for whom it is");
    }
  }

  @Override
  public void connect(Workload workload, String endpoint) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(endpoint));
    connections = new SocketChannel[workload.producers()][workload.consumers()];
    for (SocketChannel[] ofProducer : connections) {
      for (int consumer = 0; consumer < ofProducer.length; consumer++) {
        SocketChannel connection = SocketChannel.open(address);
        connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
        connection.write(ByteBuffer.allocate(HELLO_SIZE).putInt(consumer).flip());
        ofProducer[consumer] = connection;
      }
    }
  }

  @Override
  public Producer producer(int index) {
    SocketChannel[] mine = connections[index];
    return new SocketProducer(mine);
  }

  @Override
  public String version() {
    return "JDK " + Runtime.version().feature();
  }

  @Override
  public void close() throws IOException {
    if (server != null) {
      server.close();
    }
    if (connections != null) {
      for (SocketChannel[] ofProducer : connections) {
        for (SocketChannel connection : ofProducer) {
          connection.close();
        }
      }
    }
  }

  private static void startDaemon(Runnable body, String name) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static final class SocketProducer implements Producer {
    private final SocketChannel[] connections;
    private final ByteBuffer[] buffers;

    SocketProducer(SocketChannel[] connections) {
      this.connections = connections;
      this.buffers = new ByteBuffer[connections.length];
      for (int i = 0; i < buffers.length; i++) {
        buffers[i] = ByteBuffer.allocateDirect(Workload.FRAME_SIZE);
      }
    }

    @Override
    public void send(int consumer, byte[] record) throws IOException {
      ByteBuffer buffer = buffers[consumer];
      if (buffer.remaining() < Workload.LENGTH_PREFIX + record.length) {
        buffer = makeRoom(consumer, record.length);
      }
      buffer.putInt(record.length).put(record);
    }

    private ByteBuffer makeRoom(int consumer, int length) throws IOException {
      write(consumer);
      int needed = Workload.LENGTH_PREFIX + length;
      if (buffers[consumer].capacity() < needed) {
        buffers[consumer] = ByteBuffer.allocateDirect(needed);
      }
      return buffers[consumer];
    }

    private void write(int consumer) throws IOException {
      ByteBuffer buffer = buffers[consumer].flip();
      while (buffer.hasRemaining()) {
        connections[consumer].write(buffer);
      }
      buffer.clear();
    }

    @Override
    public void flush() throws IOException {
      for (int consumer = 0; consumer < buffers.length; consumer++) {
        write(consumer);
      }
    }

    @Override
    public void close() throws IOException {
      flush();
      for (SocketChannel connection : connections) {
        connection.shutdownOutput();
      }
    }
  }
}

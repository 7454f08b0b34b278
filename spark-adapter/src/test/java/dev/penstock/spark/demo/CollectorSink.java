package dev.penstock.spark.demo;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import org.apache.spark.sql.ForeachWriter;
import org.apache.spark.sql.Row;

/** Tells a {@link Collector} of each row (id, created), with the time at which it came. */
public final class CollectorSink extends ForeachWriter<Row> {
  private static final long serialVersionUID = 1L;

  private final int port;
  private transient Socket socket;
  private transient DataOutputStream out;

  /** Connects to the collector's port, on this machine. */
  public CollectorSink(int port) {
    this.port = port;
  }

  @Override
  public boolean open(long partition, long epoch) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void process(Row row) {
    try {
      out.writeLong(row.getLong(0));
      out.writeLong(row.getLong(1));
      out.writeLong(System.currentTimeMillis());
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close(Throwable failure) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

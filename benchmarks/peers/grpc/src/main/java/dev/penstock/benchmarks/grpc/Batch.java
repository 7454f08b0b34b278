package dev.penstock.benchmarks.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Collects records into one message. gRPC copies it into its own buffers before the call that sends
 * it returns, so that it can be filled again.
 */
final class Batch extends InputStream implements Drainable, KnownLength {
  private final ByteBuffer buffer;
  private int read;

  Batch(int capacity) {
    buffer = ByteBuffer.allocate(capacity);
  }

  int room() {
    return buffer.remaining();
  }

  boolean isEmpty() {
    return buffer.position() == 0;
  }

  ByteBuffer buffer() {
    return buffer;
  }

  void clear() {
    buffer.clear();
    read = 0;
  }

  @Override
  public int available() {
    return buffer.position() - read;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int length = available();
    target.write(buffer.array(), read, length);
    read += length;
    return length;
  }

  @Override
  public int read() {
    return available() == 0 ? -1 : buffer.get(read++) & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length > 0 && available() == 0) {
      return -1;
    }
    int count = Math.min(length, available());
    buffer.get(read, target, offset, count);
    read += count;
    return count;
  }
}

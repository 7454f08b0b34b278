package dev.penstock.benchmarks.flink;

import java.io.IOException;
import org.apache.flink.core.io.IOReadableWritable;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A record as Flink serialises it: Flink adds the length, the consumer reads the first eight bytes.
 */
final class FlinkRecord implements IOReadableWritable {
  private final int size;
  private byte[] bytes;
  private long head;

  FlinkRecord(int size) {
    this.size = size;
  }

  void set(byte[] record) {
    bytes = record;
  }

  long head() {
    return head;
  }

  @Override
  public void write(DataOutputView out) throws IOException {
    out.write(bytes);
  }

  @Override
  public void read(DataInputView in) throws IOException {
    head = in.readLong();
    in.skipBytesToRead(size - Long.BYTES);
  }
}

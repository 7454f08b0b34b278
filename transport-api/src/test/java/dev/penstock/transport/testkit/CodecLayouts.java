package dev.penstock.transport.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.IntFunction;

/** The ways in which a buffer with a given room may lie in memory. */
final class CodecLayouts {
  /** A way to make a buffer whose position and limit enclose exactly the bytes asked for. */
  record Layout(String name, IntFunction<ByteBuffer> make) {
    ByteBuffer of(int bytes) {
      return make.apply(bytes);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Layout> ALL =
      List.of(
          new Layout("heap", ByteBuffer::allocate),
          new Layout("direct", ByteBuffer::allocateDirect),
          new Layout("heap, odd index", bytes -> inside(ByteBuffer.allocate(bytes + 12), 7, bytes)),
          new Layout(
              "direct, odd index",
              bytes -> inside(ByteBuffer.allocateDirect(bytes + 12), 7, bytes)),
          new Layout(
              "heap slice", bytes -> inside(ByteBuffer.allocate(bytes + 8), 3, bytes).slice()),
          new Layout(
              "direct slice",
              bytes -> inside(ByteBuffer.allocateDirect(bytes + 8), 3, bytes).slice()),
          new Layout(
              "heap, little-endian",
              bytes -> ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN)));

  private CodecLayouts() {}

  private static ByteBuffer inside(ByteBuffer buffer, int index, int bytes) {
    return buffer.position(index).limit(index + bytes);
  }
}

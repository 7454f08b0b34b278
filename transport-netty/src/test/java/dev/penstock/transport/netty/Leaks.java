package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What must not be left of buffers. */
final class Leaks {
  static final Queue<String> REPORTED = new ConcurrentLinkedQueue<>();

  private Leaks() {}

  /** Every buffer of a closed node has been released. */
  static void assertNothingHeld(Transport closed) {
    PooledByteBufAllocator allocator = ((NettyTransport) closed).allocator();
    assertThat(allocator.pinnedDirectMemory()).as("direct memory in use").isZero();
    assertThat(allocator.pinnedHeapMemory()).as("heap memory in use").isZero();
  }

  /** The leak detector has found nothing: it looks when buffers are collected and others made. */
  static void assertNoneReported() {
    System.gc();
    List<ByteBuf> made = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      made.add(PooledByteBufAllocator.DEFAULT.directBuffer(16));
    }
    made.forEach(ByteBuf::release);
    assertThat(REPORTED).as("buffers that were never released").isEmpty();
  }
}

package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkSizesTest {
  private static final int LARGEST_POOLED = 4 << 20;

  @Test
  void shouldBeWhatThePooledAllocatorGives() {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    for (int bytes = 257; bytes <= LARGEST_POOLED; bytes += 1 + bytes / 50) {
      int size = ChunkSizes.holding(bytes);
      assertThat(size).isGreaterThanOrEqualTo(bytes);
      assertThat(given(allocator, bytes)).as("for %d bytes", bytes).isEqualTo(size);
      assertThat(given(allocator, size)).as("for the class %d itself", size).isEqualTo(size);
      assertThat(ChunkSizes.within(size)).isEqualTo(size);
      assertThat(ChunkSizes.within(size + 1)).isEqualTo(size);
      assertThat(ChunkSizes.holding(size)).isEqualTo(size);
    }
  }

  /** What an allocation really takes: the buffer may grow into it without being moved. */
  private static int given(PooledByteBufAllocator allocator, int bytes) {
    ByteBuf buffer = allocator.directBuffer(bytes);
    try {
      return buffer.maxFastWritableBytes();
    } finally {
      buffer.release();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {ChunkSizes.MIN_FLOOR, 1337, 1677, 2048, 10_000, 1 << 20, 1 << 30})
  void shouldFitTwoFirstChunksAndAnEventIntoEveryFloor(int floor) {
    int start = ChunkSizes.start(floor);
    assertThat(2L * start + ChunkSizes.EVENT).isLessThanOrEqualTo(floor);
    assertThat(start).isBetween(320, ChunkSizes.MAX_START);
  }

  @Test
  void shouldHoldTheLargestRecordThereIs() {
    assertThat(ChunkSizes.holding((1 << 30) - 1)).isEqualTo(1 << 30);
    assertThat(ChunkSizes.holding(1)).isEqualTo(256);
    assertThat(ChunkSizes.holding(4 + 256)).isEqualTo(ChunkSizes.EVENT);
  }
}

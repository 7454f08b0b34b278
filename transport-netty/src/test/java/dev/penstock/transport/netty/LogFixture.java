package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A budget, an allocator and what a gate shares, for tests; closing it asserts that nothing is
 * left.
 */
final class LogFixture implements AutoCloseable {
  final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  final LogMemory memory;
  final List<ScratchPermit> scratches = new ArrayList<>();
  final LogSettings settings;

  LogFixture(LogMemory memory, LogSettings settings) {
    this.memory = memory;
    this.settings = settings;
  }

  static LogFixture ofDefaults() {
    return new LogFixture(
        new LogMemory(
            LogMemory.DEFAULT_BYTES, LogMemory.DEFAULT_CHANNELS, LogMemory.DEFAULT_CHANNEL_CAP),
        LogSettings.DEFAULT);
  }

  AppendLog newLog() {
    return newLog(0, 0, new AtomicInteger());
  }

  /** A log that counts its wake-ups. */
  AppendLog newLog(long position, long sequence, AtomicInteger wakeUps) {
    return newLog(position, sequence, wakeUps::incrementAndGet);
  }

  AppendLog newLog(long position, long sequence, Runnable attention) {
    ScratchPermit scratch = new ScratchPermit(settings.maxMessageChunk());
    return newLog(position, sequence, scratch, attention);
  }

  /** A log of a writer that has others. */
  AppendLog newLog(ScratchPermit scratch) {
    return newLog(0, 0, scratch, () -> {});
  }

  private AppendLog newLog(
      long position, long sequence, ScratchPermit scratch, Runnable attention) {
    scratches.add(scratch);
    return new AppendLog(
        memory.register().orElseThrow(),
        scratch,
        allocator,
        settings,
        position,
        sequence,
        attention);
  }

  /** Where a log's claimed body goes. */
  static ByteBuffer claimed(AppendLog log) {
    return log.claimedMemory().slice(log.claimedOffset(), log.claimedLength());
  }

  /** Buffers that were allocated and not freed. */
  long activeBuffers() {
    return allocator.metric().directArenas().stream()
        .mapToLong(PoolArenaMetric::numActiveAllocations)
        .sum();
  }

  @Override
  public void close() {
    assertThat(activeBuffers()).as("buffers left").isZero();
    assertThat(memory.registered()).as("channels left").isZero();
    assertThat(memory.floatFree())
        .as("float given back")
        .isEqualTo(memory.bytes() - memory.bytes() / 2);
    for (ScratchPermit scratch : scratches) {
      assertThat(scratch.heldBytes()).as("scratch given back").isZero();
    }
  }
}

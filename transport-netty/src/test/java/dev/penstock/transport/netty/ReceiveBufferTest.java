package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceiveBufferTest {
  private static final int QUIET = ReceiveBuffer.QUIET_BYTES;
  private static final int MAX = 1 << 20;

  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final ReceiveMemory memory = new ReceiveMemory(allocator, 4L * MAX);
  private final ReceiveBuffer buffer = new ReceiveBuffer(memory, MAX);

  @BeforeEach
  void trusted() {
    buffer.expectTraffic();
  }

  @AfterEach
  void nothingIsLeft() {
    buffer.release();
    assertThat(memory.bufferBytes()).isZero();
    assertThat(memory.pinnedBytes()).isZero();
    assertThat(allocator.metric().directArenas())
        .allMatch(arena -> arena.numActiveAllocations() == 0);
  }

  private int read(int bytes) {
    ByteBuf target = buffer.beginRead();
    int length = Math.min(bytes, target.writableBytes());
    target.writeZero(length);
    assertThat(buffer.isRead(target)).isTrue();
    buffer.endRead(target);
    return length;
  }

  private void parseAll() {
    buffer.parsedTo(buffer.start() + buffer.available());
  }

  @Test
  void shouldTakeNoMemoryBeforeTheFirstRead() {
    assertThat(memory.bufferBytes()).isZero();
    read(10);
    assertThat(memory.bufferBytes()).isEqualTo(QUIET);
  }

  @Test
  void shouldTakeASmallBufferBeforeThePeerIsTrusted() {
    ReceiveBuffer untrusted = new ReceiveBuffer(memory, MAX);
    ByteBuf target = untrusted.beginRead();
    assertThat(target.capacity()).isEqualTo(ReceiveBuffer.FIRST_BYTES);
    target.release();
    untrusted.release();
  }

  @Test
  void shouldWriteFromTheStartAgainWhenNobodyHoldsAFrame() {
    read(1000);
    parseAll();
    read(1000);
    assertThat(buffer.start()).isZero();
    assertThat(buffer.available()).isEqualTo(1000);
  }

  @Test
  void shouldGoOnBehindFramesThatAreHeldAndRewindWhenTheyAreGone() {
    read(1000);
    parseAll();
    ReceiveChunk held = buffer.chunk();
    assertThat(held.pin()).isTrue();
    read(500);
    assertThat(buffer.start()).isEqualTo(1000);
    parseAll();
    held.release();
    read(500);
    assertThat(buffer.start()).isZero();
    assertThat(buffer.chunk()).isSameAs(held);
  }

  @Test
  void shouldCopyOnlyTheBeginningOfAFrameIntoTheNextBuffer() {
    read(QUIET - 100);
    parseAll();
    ReceiveChunk held = buffer.chunk();
    assertThat(held.pin()).isTrue();
    buffer.parsedTo(QUIET - 300);
    buffer.expect(2000);
    read(100);
    assertThat(buffer.chunk()).isNotSameAs(held);
    assertThat(buffer.start()).isZero();
    assertThat(buffer.available()).isEqualTo(300);
    assertThat(buffer.copiedBytes()).isEqualTo(200);
    assertThat(memory.pinnedBytes()).isEqualTo(QUIET);
    held.release();
    assertThat(memory.pinnedBytes()).isZero();
  }

  @Test
  void shouldStayInTheBufferWhileTheFrameFits() {
    read(QUIET - 3000);
    buffer.parsedTo(QUIET - 3100);
    buffer.expect(3100);
    ReceiveChunk chunk = buffer.chunk();
    assertThat(chunk.pin()).isTrue();
    assertThat(read(10_000)).isEqualTo(3000);
    assertThat(buffer.chunk()).isSameAs(chunk);
    assertThat(buffer.copiedBytes()).isZero();
    chunk.release();
  }

  @Test
  void shouldMoveTheBeginningToTheFrontWhenNobodyHoldsAFrame() {
    read(QUIET - 100);
    buffer.parsedTo(QUIET - 200);
    buffer.expect(2000);
    ReceiveChunk chunk = buffer.chunk();
    read(10);
    assertThat(buffer.chunk()).isSameAs(chunk);
    assertThat(buffer.start()).isZero();
    assertThat(buffer.available()).isEqualTo(110);
  }

  @Test
  void shouldGrowWithTrafficAndShrinkWithoutIt() {
    for (int i = 0; i < 4; i++) {
      read(MAX);
      parseAll();
    }
    assertThat(buffer.chunk().capacity()).isEqualTo(MAX);
    for (int i = 0; i < 3 * 256; i++) {
      read(100);
      parseAll();
    }
    assertThat(buffer.chunk().capacity()).isEqualTo(QUIET);
  }

  @Test
  void shouldMakeRoomForAFrameLongerThanAnyBuffer() {
    read(100);
    buffer.expect(3 * MAX);
    int left = 3 * MAX - 100;
    while (left > 0) {
      left -= read(left);
    }
    assertThat(buffer.available()).isEqualTo(3 * MAX);
    assertThat(buffer.start()).isZero();
  }

  @Test
  void shouldStaySmallWhenOthersUseTheAllowance() {
    ReceiveChunk others = memory.newChunk(4 * MAX, 4 * MAX);
    for (int i = 0; i < 10; i++) {
      read(MAX);
      parseAll();
    }
    assertThat(buffer.chunk().capacity()).isEqualTo(QUIET);
    others.retire();
    read(MAX);
    parseAll();
    read(MAX);
    assertThat(buffer.chunk().capacity()).isEqualTo(MAX);
  }

  @Test
  void shouldRefuseAPinAboveTheAllowance() {
    ReceiveMemory little = new ReceiveMemory(allocator, QUIET);
    ReceiveChunk first = little.newChunk(QUIET, QUIET);
    ReceiveChunk second = little.newChunk(QUIET, QUIET);
    assertThat(first.pin()).isTrue();
    assertThat(first.pin()).isTrue();
    assertThat(second.pin()).isFalse();
    assertThat(little.pinnedBytes()).isEqualTo(QUIET);
    first.retire();
    first.release();
    assertThat(second.pin()).isFalse();
    first.release();
    assertThat(second.pin()).isTrue();
    second.retire();
    second.release();
    assertThat(little.bufferBytes()).isZero();
  }

  @Test
  void shouldRefuseToBeReleasedMoreOftenThanPinned() {
    ReceiveChunk chunk = memory.newChunk(QUIET, QUIET);
    assertThatThrownBy(chunk::release).isInstanceOf(IllegalStateException.class);
    assertThat(memory.pinnedBytes()).isZero();
    chunk.retire();
  }

  @Test
  void shouldLeaveABufferToAReadThatIsUnderWayWhenTheConnectionEnds() {
    ByteBuf target = buffer.beginRead();
    buffer.release();
    target.writeZero(100);
    assertThat(target.refCnt()).isEqualTo(1);
    assertThat(buffer.isRead(target)).isFalse();
    target.release();
    assertThatThrownBy(buffer::beginRead).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldKnowWhatThePooledAllocatorTakes() {
    PooledByteBufAllocator pool = new PooledByteBufAllocator(true);
    for (int bytes :
        new int[] {
          1, 16, 17, 64, 65, 100, 129, 1000, 1025, 5000, 28673, 40_000, 70_000, 1_000_000
        }) {
      ByteBuf taken = pool.directBuffer(bytes);
      assertThat(ReceiveMemory.allocatedSize(bytes))
          .as("%d bytes", bytes)
          .isEqualTo(taken.maxFastWritableBytes());
      taken.release();
    }
  }
}

package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireLimits;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
  private static final int MAX_FRAME = 64 * 1024;

  private final TinyCodec codec = new TinyCodec();
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final ReceiveMemory memory = new ReceiveMemory(allocator, 1 << 20);
  private final Incoming incoming = new Incoming(memory, Runnable::run);
  private final FrameReader reader = incoming.newReader(codec, FrameReader.Source.HANDLER, 1 << 20);
  private final EmbeddedChannel socket = new EmbeddedChannel(reader);
  private final ByteArrayOutputStream wire = new ByteArrayOutputStream();

  @AfterEach
  void nothingIsLeft() {
    socket.finishAndReleaseAll();
    assertThat(memory.bufferBytes()).isZero();
    assertThat(allocator.metric().directArenas())
        .allMatch(arena -> arena.numActiveAllocations() == 0);
  }

  private void flush() {
    socket.writeInbound(Unpooled.wrappedBuffer(wire.toByteArray()));
    wire.reset();
  }

  private byte[] header(int length, int type) {
    byte[] bytes = new byte[64];
    Sofh.put(ByteBuffer.wrap(bytes), 0, length, type);
    return bytes;
  }

  @Test
  void shouldReadFramesThatComeByteByByte() {
    for (int i = 0; i < 20; i++) {
      Outgoing.ping(codec, i, wire);
    }
    for (byte each : wire.toByteArray()) {
      socket.writeInbound(Unpooled.wrappedBuffer(new byte[] {each}));
    }
    assertThat(incoming.pings).hasSize(20).startsWith(0L, 1L, 2L);
    assertThat(incoming.turns).isEqualTo(wire.size());
  }

  @Test
  void shouldTakeNoMoreThanAKilobyteBeforeThePeerIsTrusted() {
    int frames = 0;
    while (incoming.tooLarge < 0) {
      Outgoing.ping(codec, frames, wire);
      flush();
      frames++;
    }
    int frame = Sofh.LENGTH + 13;
    assertThat(incoming.pings).hasSize(WireLimits.MAX_HANDSHAKE_BYTES / frame);
    assertThat(incoming.tooLarge).isEqualTo(frame);
    assertThat(memory.bufferBytes()).isEqualTo(ReceiveBuffer.FIRST_BYTES);
  }

  @Test
  void shouldTakeFramesBehindTheProofInTheSameRead() {
    Incoming trusting =
        new Incoming(memory, Runnable::run) {
          @Override
          public void ping(long value) {
            super.ping(value);
            reader.trust(MAX_FRAME);
          }
        };
    EmbeddedChannel other =
        new EmbeddedChannel(trusting.newReader(codec, FrameReader.Source.HANDLER, 1 << 20));
    for (int i = 0; i < 200; i++) {
      Outgoing.ping(codec, i, wire);
    }
    other.writeInbound(Unpooled.wrappedBuffer(wire.toByteArray()));
    assertThat(trusting.pings).hasSize(200);
    assertThat(trusting.tooLarge).isEqualTo(-1);
    other.finishAndReleaseAll();
  }

  @Test
  void shouldRefuseALengthBeyondTheMaximumBeforeAnythingIsBufferedForIt() {
    reader.trust(MAX_FRAME);
    socket.writeInbound(Unpooled.wrappedBuffer(header(MAX_FRAME + 1, TinyCodec.TYPE)));
    assertThat(incoming.tooLarge).isEqualTo(MAX_FRAME + 1);
    assertThat(memory.bufferBytes()).isLessThanOrEqualTo(ReceiveBuffer.QUIET_BYTES);
  }

  @Test
  void shouldReadLengthsAsUnsigned() {
    reader.trust(MAX_FRAME);
    socket.writeInbound(Unpooled.wrappedBuffer(header(-1, TinyCodec.TYPE)));
    assertThat(incoming.tooLarge).isEqualTo(0xFFFF_FFFFL);
  }

  @Test
  void shouldNameBothEncodingTypes() {
    socket.writeInbound(Unpooled.wrappedBuffer(header(40, 0xEB50)));
    assertThat(incoming.foreign).isEqualTo(0xEB50);
    assertThat(incoming.malformed).isNull();
    assertThat(incoming.tooLarge).isEqualTo(-1);
  }

  @Test
  void shouldRefuseFramesShorterThanTheirHeader() {
    for (int length = 0; length <= Sofh.LENGTH; length++) {
      Incoming fresh = new Incoming(memory, Runnable::run);
      EmbeddedChannel other =
          new EmbeddedChannel(fresh.newReader(codec, FrameReader.Source.HANDLER, 1 << 20));
      other.writeInbound(Unpooled.wrappedBuffer(header(length, TinyCodec.TYPE)));
      assertThat(fresh.malformed).isNotNull();
      other.finishAndReleaseAll();
    }
  }

  @Test
  void shouldReportTheFirstFaultOnlyAndDropWhatFollows() {
    wire.writeBytes(Arrays.copyOf(header(40, TinyCodec.TYPE), 40));
    Outgoing.ping(codec, 1, wire);
    flush();
    assertThat(incoming.malformed).isNotNull();
    incoming.malformed = null;
    wire.writeBytes(header(40, 1));
    Outgoing.ping(codec, 1, wire);
    flush();
    assertThat(incoming.malformed).isNull();
    assertThat(incoming.foreign).isEqualTo(-1);
    assertThat(incoming.pings).isEmpty();
  }

  @Test
  void shouldDropWhatFollowsAFrameWhoseHandlingFails() {
    Incoming failing =
        new Incoming(memory, Runnable::run) {
          @Override
          public void ping(long value) {
            super.ping(value);
            throw new IllegalStateException("frame " + value);
          }
        };
    EmbeddedChannel other =
        new EmbeddedChannel(failing.newReader(codec, FrameReader.Source.HANDLER, 1 << 20));
    Outgoing.ping(codec, 7, wire);
    Outgoing.ping(codec, 8, wire);
    assertThatThrownBy(() -> other.writeInbound(Unpooled.wrappedBuffer(wire.toByteArray())))
        .isInstanceOf(IllegalStateException.class);
    assertThat(failing.pings).containsExactly(7L);
    other.finishAndReleaseAll();
  }

  @Test
  void shouldLetAFrameEndItsOwnConnection() {
    List<EmbeddedChannel> closing = new ArrayList<>();
    Incoming closer =
        new Incoming(memory, Runnable::run) {
          @Override
          public void ping(long value) {
            super.ping(value);
            closing.get(0).pipeline().remove(reader);
          }
        };
    closing.add(new EmbeddedChannel(closer.newReader(codec, FrameReader.Source.HANDLER, 1 << 20)));
    Outgoing.ping(codec, 7, wire);
    Outgoing.ping(codec, 8, wire);
    closing.get(0).writeInbound(Unpooled.wrappedBuffer(wire.toByteArray()));
    assertThat(closer.pings).containsExactly(7L);
    assertThat(memory.bufferBytes()).isZero();
    closing.get(0).finishAndReleaseAll();
  }

  @Test
  void shouldStopWhenItIsTold() {
    reader.stop();
    Outgoing.ping(codec, 1, wire);
    flush();
    assertThat(incoming.pings).isEmpty();
  }

  @Test
  void shouldSurviveRandomAndDamagedBytes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      Incoming victim = new Incoming(memory, Runnable::run);
      InboundQueue queue = new InboundQueue(1 << 20, null);
      InboundChannel channel = victim.open(1, queue);
      EmbeddedChannel other =
          new EmbeddedChannel(victim.newReader(codec, FrameReader.Source.HANDLER, 1 << 16));
      victim.reader.trust(MAX_FRAME);
      List<byte[]> sent = new ArrayList<>();
      byte[] bytes = damaged(random, sent);
      int from = 0;
      while (from < bytes.length) {
        int length = Math.min(bytes.length - from, 1 + random.nextInt(500));
        other.writeInbound(Unpooled.copiedBuffer(bytes, from, length));
        from += length;
      }
      assertThat(memory.bufferBytes()).as("seed %d", seed).isLessThanOrEqualTo(3L << 16);
      Collected collected = new Collected();
      while (queue.poll(collected, 100) > 0) {
        // What was intact comes out.
      }
      List<byte[]> intact = collected.of(1);
      assertThat(intact).as("seed %d", seed).hasSizeLessThanOrEqualTo(sent.size());
      for (int i = 0; i < intact.size(); i++) {
        assertThat(intact.get(i)).as("seed %d", seed).isEqualTo(sent.get(i));
      }
      other.finishAndReleaseAll();
      channel.end(Ending.FINISHED, true);
      assertThat(memory.pinnedBytes()).as("seed %d", seed).isZero();
      assertThat(memory.bufferBytes()).as("seed %d", seed).isZero();
      assertThat(queue.copied()).as("seed %d", seed).hasValue(0);
    }
  }

  private byte[] damaged(Random random, List<byte[]> sent) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Outgoing sender = new Outgoing(codec, 1, bytes);
    for (int i = 0; i < 5; i++) {
      sent.add(Outgoing.random(random, random.nextInt(3000)));
      sent.add(Outgoing.random(random, 10));
      sender.frame(sent.get(2 * i), sent.get(2 * i + 1));
      Outgoing.ping(codec, i, bytes);
    }
    byte[] result = bytes.toByteArray();
    switch (random.nextInt(4)) {
      case 0 -> random.nextBytes(result);
      case 1 -> {
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
          result[random.nextInt(result.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 2 -> result = Arrays.copyOf(result, random.nextInt(result.length));
      default -> {
        int cut = random.nextInt(result.length);
        System.arraycopy(
            result, cut, result, Math.max(0, cut - 1 - random.nextInt(20)), result.length - cut);
      }
    }
    return result;
  }
}

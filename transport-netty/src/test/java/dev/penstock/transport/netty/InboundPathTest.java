package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From bytes to records, whole path, on one thread. */
class InboundPathTest {
  private static final int CHANNELS = 5;
  private static final int MAX_FRAME = 64 * 1024;
  private static final int MAX_MESSAGE = 1 << 20;

  private final TinyCodec codec = new TinyCodec();
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final ReceiveMemory memory = new ReceiveMemory(allocator, 1 << 20);

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldHandOutEveryRecordInOrderHoweverBytesAreSplit(long seed) {
    Random random = new Random(seed);
    boolean assembled = random.nextBoolean();
    Assembler assembler = assembled ? new Assembler(allocator, 1 << 20) : null;
    InboundQueue queue = new InboundQueue(MAX_MESSAGE, assembler);
    Incoming incoming = new Incoming(memory, Runnable::run);
    FrameReader reader =
        incoming.newReader(codec, FrameReader.Source.HANDLER, (64 * 1024) << random.nextInt(4));
    EmbeddedChannel socket = new EmbeddedChannel(reader);
    reader.trust(MAX_FRAME);
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    List<List<byte[]>> model = new ArrayList<>();
    long[] ends = new long[CHANNELS];
    send(random, incoming, queue, wire, model, ends);

    Collected collected = new Collected();
    byte[] bytes = wire.toByteArray();
    for (int from = 0; from < bytes.length; ) {
      int length = Math.min(bytes.length - from, 1 + random.nextInt(1 << random.nextInt(18)));
      socket.writeInbound(Unpooled.wrappedBuffer(bytes, from, length));
      from += length;
      if (random.nextInt(3) == 0) {
        queue.poll(collected, 1 + random.nextInt(1000));
      }
    }
    incoming.channels.values().forEach(channel -> channel.end(Ending.FINISHED, false));
    while (queue.poll(collected, 1000) > 0) {
      // Until nothing is left.
    }

    for (int i = 0; i < CHANNELS; i++) {
      collected.assertEqualTo(i, model.get(i));
      InboundChannel channel = incoming.channels.get(i);
      assertThat(channel.fault()).isNull();
      assertThat(channel.consumed()).isEqualTo(ends[i]);
      assertThat(channel.taken()).isEqualTo(ends[i]);
      assertThat(channel.drained()).isTrue();
    }
    assertThat(collected.endings).hasSize(CHANNELS);
    assertThat(incoming.malformed).isNull();
    socket.finishAndReleaseAll();
    assertThat(memory.pinnedBytes()).isZero();
    assertThat(memory.bufferBytes()).isZero();
    assertThat(queue.copied()).hasValue(0);
    if (assembled) {
      assertThat(assembler.reserved()).isZero();
    }
    assertThat(
            allocator.metric().directArenas().stream()
                .mapToLong(arena -> arena.numActiveAllocations())
                .sum())
        .isZero();
  }

  private void send(
      Random random,
      Incoming incoming,
      InboundQueue queue,
      ByteArrayOutputStream wire,
      List<List<byte[]>> model,
      long[] ends) {
    List<Outgoing> senders = new ArrayList<>();
    for (int i = 0; i < CHANNELS; i++) {
      incoming.open(i, queue);
      senders.add(new Outgoing(codec, i, wire));
      model.add(new ArrayList<>());
    }
    for (int frame = 0; frame < 100; frame++) {
      int i = random.nextInt(CHANNELS);
      if (random.nextInt(10) == 0) {
        byte[] body = Outgoing.random(random, 4000 + random.nextInt(200_000));
        senders.get(i).pieces(body, 2000 + random.nextInt(30_000));
        model.get(i).add(body);
      } else {
        byte[][] bodies = new byte[1 + random.nextInt(20)][];
        for (int j = 0; j < bodies.length; j++) {
          bodies[j] = Outgoing.random(random, random.nextInt(1 << random.nextInt(12)));
          model.get(i).add(bodies[j]);
        }
        senders.get(i).frame(bodies);
      }
    }
    for (int i = 0; i < CHANNELS; i++) {
      ends[i] = senders.get(i).position();
    }
  }
}

package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A lane's receiving side on the test's thread, and the proof that nothing is left of it. */
final class InboundFixture implements AutoCloseable {
  static final int MAX_FRAME = 64 * 1024;
  static final int MAX_MESSAGE = 1 << 20;

  final TinyCodec codec = new TinyCodec();
  final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  final ReceiveMemory memory;
  final Queue<Runnable> loopTasks = new ArrayDeque<>();
  final Incoming incoming;
  final EmbeddedChannel socket;
  final ByteArrayOutputStream wire = new ByteArrayOutputStream();
  final Collected collected = new Collected();
  private final List<InboundDelivery> deliveries = new ArrayList<>();
  private final List<Assembler> assemblers = new ArrayList<>();

  InboundFixture() {
    this(ReceiveMemory.DEFAULT_ALLOWANCE);
  }

  InboundFixture(long allowance) {
    memory = new ReceiveMemory(allocator, allowance);
    incoming = new Incoming(memory, loopTasks::add);
    FrameReader reader = incoming.newReader(codec, FrameReader.Source.HANDLER, 1 << 20);
    socket = new EmbeddedChannel(reader);
    reader.trust(MAX_FRAME);
  }

  InboundQueue queue() {
    return queue(null);
  }

  InboundQueue queue(Assembler assembler) {
    InboundQueue queue = new InboundQueue(MAX_MESSAGE, assembler);
    deliveries.add(queue);
    return queue;
  }

  LoopDelivery loopDelivery(RecordHandler handler, Assembler assembler) {
    LoopDelivery delivery = new LoopDelivery(socket.eventLoop(), handler, MAX_MESSAGE, assembler);
    deliveries.add(delivery);
    return delivery;
  }

  Assembler assembler(long budget) {
    Assembler assembler = new Assembler(allocator, budget);
    assemblers.add(assembler);
    return assembler;
  }

  Outgoing sender(int channel) {
    return new Outgoing(codec, channel, wire);
  }

  /** Delivers what the senders wrote, as one read. */
  void flush() {
    socket.writeInbound(Unpooled.copiedBuffer(wire.toByteArray()));
    wire.reset();
  }

  void runLoop() {
    while (!loopTasks.isEmpty()) {
      loopTasks.remove().run();
    }
    socket.runPendingTasks();
  }

  long activeBuffers() {
    return allocator.metric().directArenas().stream()
        .mapToLong(arena -> arena.numActiveAllocations())
        .sum();
  }

  @Override
  public void close() {
    socket.finishAndReleaseAll();
    incoming.channels.values().forEach(channel -> channel.end(Ending.FINISHED, true));
    assertThat(memory.pinnedBytes()).isZero();
    assertThat(memory.bufferBytes()).isZero();
    for (InboundDelivery delivery : deliveries) {
      assertThat(delivery.copied()).hasValue(0);
    }
    for (Assembler assembler : assemblers) {
      assertThat(assembler.reserved()).isZero();
      assertThat(assembler.waiting()).isZero();
    }
    assertThat(activeBuffers()).isZero();
  }
}

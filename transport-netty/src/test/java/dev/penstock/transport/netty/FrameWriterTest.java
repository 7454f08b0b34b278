package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.testkit.Allocations;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Record;
import dev.penstock.transport.wire.Sofh;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameWriterTest {
  private static final int MAX_FRAME = 64_512;
  private static final int MAX_PAYLOADS = 8;
  private static final int MAX_BYTES = 256 * 1024;

  private final LogFixture fixture = LogFixture.ofDefaults();
  private final AppendLog log = fixture.newLog();
  private final LogModel model = new LogModel(0, 0);
  private final FrameCut cut = new FrameCut();
  private final Random random = new Random(7);
  private EmbeddedChannel channel;
  private FrameWriter writer;
  private long sent;
  private long sentSequence;
  private long checked;
  private long pings;

  @BeforeEach
  void connect() {
    connect(new ChannelInboundHandlerAdapter());
  }

  private void connect(io.netty.channel.ChannelHandler before) {
    if (channel != null) {
      writer.close();
      channel.finishAndReleaseAll();
    }
    channel = new EmbeddedChannel();
    channel.config().setAllocator(fixture.allocator);
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(MAX_BYTES, 2 * MAX_BYTES));
    channel.pipeline().addLast(before, new ChannelInboundHandlerAdapter());
    ChannelHandlerContext last = channel.pipeline().lastContext();
    writer = new FrameWriter(last, new TinyCodec().newEncoder(), MAX_PAYLOADS, MAX_BYTES);
  }

  @AfterEach
  void nothingIsLeft() {
    writer.close();
    channel.finishAndReleaseAll();
    log.release();
    fixture.close();
  }

  private void append(int length) {
    byte[] body = LogModel.randomBody(random, length);
    assertThat(log.offer(Record.MESSAGE, ByteBuffer.wrap(body))).isEqualTo(AppendResult.ADMITTED);
    model.append(Record.MESSAGE, body);
  }

  /** As a lane does: frames while there is room and something to send. */
  private void turn() {
    log.committedPosition();
    while (writer.hasRoom() && log.cut(sent, MAX_FRAME, 1024, cut)) {
      writer
          .frames()
          .data(1, sent, sentSequence, cut.messages, cut.flags, cut.length, 0, cut.length, cut.crc);
      writer.payload(log, sent, cut.length);
      sent += cut.length;
      sentSequence += cut.messages;
    }
    writer.endTurn();
  }

  private List<ByteBuf> written() {
    List<ByteBuf> buffers = new ArrayList<>();
    for (ByteBuf buffer = channel.readOutbound(); buffer != null; buffer = channel.readOutbound()) {
      buffers.add(buffer);
    }
    return buffers;
  }

  private static byte[] bytes(List<ByteBuf> buffers) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (ByteBuf buffer : buffers) {
      byte[] part = new byte[buffer.readableBytes()];
      buffer.readBytes(part);
      buffer.release();
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** Decodes what went out and checks payloads against the model. */
  private int check(byte[] wire) {
    ByteBuffer source = ByteBuffer.wrap(wire);
    int frames = 0;
    for (int index = 0; index < wire.length; frames++) {
      int length = (int) Sofh.frameLength(source, index);
      decode(source, index, length);
      index += length;
    }
    return frames;
  }

  private void decode(ByteBuffer source, int index, int length) {
    Frames checker =
        new FramesAdapter() {
          @Override
          public void data(
              int number,
              long position,
              long sequence,
              int messages,
              int flags,
              int uncompressedLength,
              long backlog,
              int payloadLength,
              int payloadCrc) {
            byte[] payload = new byte[payloadLength];
            source.get(index + length - payloadLength, payload);
            assertThat(position).isEqualTo(checked);
            assertThat(payload).isEqualTo(model.slice(position, payloadLength));
            checked += payloadLength;
          }

          @Override
          public void ping(long value) {
            pings++;
          }
        };
    // The payload lies behind the fields: the codec sees the fields alone.
    try {
      new TinyCodec().newDecoder().decode(source, index, length, checker);
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldSendALoneSmallRecordAsOneBuffer() {
    append(100);
    turn();
    List<ByteBuf> buffers = written();
    assertThat(buffers).hasSize(1);
    assertThat(check(bytes(buffers))).isEqualTo(1);
    assertThat(checked).isEqualTo(104);
  }

  @Test
  void shouldSendManySmallFramesOfATurnAsOneBuffer() {
    for (int i = 0; i < MAX_PAYLOADS - 1; i++) {
      append(50);
      log.committedPosition();
      assertThat(writer.hasRoom()).isTrue();
      writer.frames().ping(i);
      assertThat(writer.hasRoom()).isTrue();
      assertThat(log.cut(sent, MAX_FRAME, 1024, cut)).isTrue();
      writer.frames().data(1, sent, i, 1, 0, cut.length, 0, cut.length, cut.crc);
      writer.payload(log, sent, cut.length);
      sent += cut.length;
    }
    assertThat(channel.outboundMessages()).isEmpty();
    assertThat(writer.endTurn()).isTrue();
    List<ByteBuf> buffers = written();
    assertThat(buffers).hasSize(1);
    assertThat(check(bytes(buffers))).isEqualTo(2 * (MAX_PAYLOADS - 1));
    assertThat(pings).isEqualTo(MAX_PAYLOADS - 1);
  }

  @Test
  void shouldSendLargePayloadsWhereTheyLie() {
    append(30_000);
    turn();
    List<ByteBuf> buffers = written();
    assertThat(buffers).hasSize(2);
    assertThat(buffers.get(1).readableBytes()).isEqualTo(30_004);
    assertThat(check(bytes(buffers))).isEqualTo(1);
  }

  @Test
  void shouldSendRecordsOfAnySizeInOrder() {
    for (int round = 0; round < 300; round++) {
      int records = random.nextInt(30);
      for (int i = 0; i < records; i++) {
        append(random.nextInt(20) == 0 ? random.nextInt(100_000) : random.nextInt(200));
      }
      do {
        turn();
        check(bytes(written()));
        log.acknowledged(checked);
      } while (sent < model.position());
    }
    assertThat(checked).isEqualTo(model.position());
  }

  @Test
  void shouldEndTheTurnAfterSoManyFrames() {
    for (int i = 0; i < 1000; i++) {
      append(1000);
    }
    log.committedPosition();
    int frames = 0;
    while (writer.hasRoom()) {
      assertThat(log.cut(sent, 3000, 1024, cut)).isTrue();
      writer.frames().data(1, sent, frames, cut.messages, 0, cut.length, 0, cut.length, cut.crc);
      writer.payload(log, sent, cut.length);
      sent += cut.length;
      frames++;
    }
    assertThat(frames).isEqualTo(MAX_PAYLOADS);
    writer.endTurn();
    assertThat(writer.hasRoom()).isTrue();
    assertThat(check(bytes(written()))).isEqualTo(MAX_PAYLOADS);
  }

  @Test
  void shouldEndTheTurnAfterSoManyBytesOfControlFrames() {
    int frames = 0;
    while (writer.hasRoom()) {
      writer.frames().ping(frames++);
      assertThat(frames).isLessThan(MAX_BYTES);
    }
    writer.endTurn();
    assertThat(check(bytes(written()))).isEqualTo(frames);
    assertThat(pings).isEqualTo(frames);
  }

  @Test
  void shouldReuseItsMemoryWhenWhatItWroteIsGone() {
    long before = fixture.activeBuffers();
    for (int i = 0; i < 5000; i++) {
      writer.hasRoom();
      writer.frames().ping(i);
      writer.endTurn();
      check(bytes(written()));
    }
    assertThat(fixture.activeBuffers()).isEqualTo(before);
  }

  @Test
  void shouldReleaseEachReferenceOnceWhenTheConnectionFails() {
    append(30_000);
    append(30_000);
    log.committedPosition();
    assertThat(writer.hasRoom()).isTrue();
    assertThat(log.cut(0, MAX_FRAME, 1024, cut)).isTrue();
    writer.frames().data(1, 0, 0, cut.messages, cut.flags, cut.length, 0, cut.length, cut.crc);
    var unused = channel.close();
    writer.payload(log, 0, cut.length);
    writer.endTurn();
    assertThat(writer.hasRoom()).isFalse();
    assertThat(fixture.activeBuffers()).as("the log's two chunks and the writer's").isEqualTo(3);
    // The dead connection released what it took; the log still has all of it.
    channel = null;
    writer.close();
    connect();
    while (sent < model.position()) {
      turn();
      check(bytes(written()));
    }
    assertThat(checked).isEqualTo(model.position());
  }

  @Test
  void shouldFreeTheMemoryOfALogThatEndedWhenItsWritesAreDone() {
    append(30_000);
    turn();
    log.release();
    assertThat(fixture.memory.registered()).isEqualTo(1);
    written().forEach(ByteBuf::release);
    assertThat(fixture.memory.registered()).isZero();
  }

  @Test
  void shouldAllocateLittleOnTheHeapForAFrame() {
    // The leak detector allocates more than anything else.
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    try {
      measureAllocation();
    } finally {
      ResourceLeakDetector.setLevel(level);
    }
  }

  private void measureAllocation() {
    connect(
        new ChannelOutboundHandlerAdapter() {
          @Override
          public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            ((ByteBuf) message).release();
          }
        });
    for (int i = 0; i < 200; i++) {
      smallFrame(i);
    }
    long before = Allocations.ofThisThread();
    int frames = 2000;
    for (int i = 0; i < frames; i++) {
      smallFrame(i);
    }
    assertThat((Allocations.ofThisThread() - before) / frames)
        .as("bytes for each frame; the test's codec allocates too")
        .isLessThan(400);
  }

  private void smallFrame(long value) {
    assertThat(writer.hasRoom()).isTrue();
    writer.frames().ping(value);
    writer.endTurn();
  }
}

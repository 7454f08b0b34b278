package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.FrameSink;
import dev.penstock.transport.protocol.RecordSource;
import dev.penstock.transport.wire.Frames;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * One end of the way inside the JVM: frames are calls of the other end's lane, and payloads stay in
 * the producer's chunks until the consumer has taken them. Order, credit and termination are those
 * of any lane; there are no bytes to encode or to sum.
 *
 * <p>Both ends are on one event loop and confined to it.
 */
final class LocalLink implements LaneLink, FrameSink {
  private static final int FRAMES_PER_TURN = 32;
  private static final int SMALL_TURN_BYTES = 16 * 1024;

  /** One or two microseconds; measured, as good as any longer pause. */
  private static final int SPINS = 50;

  private final LocalFrames out = new LocalFrames(this);
  private LocalLink other;
  private NettyLane lane;
  private int framesInTurn;
  private long bytesWritten;
  private long turnBegan;

  // The payload on its way to this end.
  private PayloadSource source;
  private long sourcePosition;
  private ByteBuf single;
  private int slices;

  private LocalLink() {}

  /** Makes two ends. */
  static LocalLink[] pair() {
    LocalLink a = new LocalLink();
    LocalLink b = new LocalLink();
    a.other = b;
    b.other = a;
    return new LocalLink[] {a, b};
  }

  // --- FrameSink

  @Override
  public FrameSink sink() {
    return this;
  }

  @Override
  public Frames frames() {
    return out;
  }

  /** Where this end's frames go; tells the other lane once per turn that something comes. */
  Frames target() {
    if (framesInTurn++ == 0) {
      other.lane.readTurnBegin();
      other.lane.bytesRead();
    }
    return other.lane.frames();
  }

  @Override
  public boolean hasRoom() {
    return other.lane != null && framesInTurn < FRAMES_PER_TURN;
  }

  @Override
  public void payload(RecordSource records, long position, int length) {
    bytesWritten += length;
    other.source = (PayloadSource) records;
    other.sourcePosition = position;
    out.deliverData(target());
    other.source = null;
  }

  @Override
  public boolean isWritable() {
    return other.lane != null;
  }

  @Override
  public void endTurn() {
    boolean any = framesInTurn > 0;
    framesInTurn = 0;
    long sent = bytesWritten - turnBegan;
    turnBegan = bytesWritten;
    if (sent > 0 && sent < SMALL_TURN_BYTES) {
      letTheWriterGetAhead();
    }
    if (any && other.lane != null) {
      other.lane.readTurnEnd();
    }
  }

  /**
   * A socket takes its time for each write, and meanwhile the next batch grows. Here nothing does:
   * the loop would take every few records, and writer and loop fight for the log's cache line.
   */
  private static void letTheWriterGetAhead() {
    for (int i = 0; i < SPINS; i++) {
      Thread.onSpinWait();
    }
  }

  @Override
  public long bytesWritten() {
    return bytesWritten;
  }

  @Override
  public long bytesPending() {
    return 0;
  }

  @Override
  public long bytesRead() {
    return other.bytesWritten;
  }

  @Override
  public void carry(NettyLane carried) {
    lane = carried;
  }

  // --- Receiving

  @Override
  public void deliver(
      InboundChannel channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      int crc) {
    slices = 0;
    single = null;
    source.slicePayload(sourcePosition, length, this::slice);
    ByteBuf whole = single;
    single = null;
    if (slices > 1) {
      // The frame runs over the end of a chunk: its parts are put together.
      ByteBuf copy = channel.lane().memory().allocator().directBuffer(length, length);
      ByteBuffer target = copy.nioBuffer(0, length);
      source.copyPayload(sourcePosition, length, target);
      whole = copy.writerIndex(length);
    }
    LocalMemory memory = new LocalMemory(whole, whole.nioBuffer(whole.readerIndex(), length));
    channel.acceptLocal(memory, 0, length, position, sequence, messages, flags);
  }

  private void slice(ByteBuf part) {
    if (slices++ == 0) {
      single = part;
    } else {
      part.release();
      if (single != null) {
        single.release();
        single = null;
      }
    }
  }

  @Override
  public void abandon() {
    lane = null;
    LocalLink peer = other;
    NettyLane peerLane = peer.lane;
    if (peerLane != null) {
      peerLane.execute(
          () ->
              peerLane.connectionLost(
                  peer, ErrorCode.PEER_UNREACHABLE, "the other end inside the JVM is gone"));
    }
  }

  /** Records in a producer's chunk, held by one frame. */
  private static final class LocalMemory extends FrameMemory {
    private final ByteBuf bytes;
    private final ByteBuffer root;

    LocalMemory(ByteBuf bytes, ByteBuffer root) {
      this.bytes = bytes;
      this.root = root;
    }

    @Override
    ByteBuffer root() {
      return root;
    }

    @Override
    void release() {
      bytes.release();
    }
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.wire.Sofh;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.nio.ByteBuffer;

/**
 * The bytes of one connection that have not been parsed yet, at the end of a large buffer that
 * outlives many reads. Each read goes on where the last one ended, so few frames lie across two
 * buffers; only their beginning is ever copied. When everything is parsed and no frame is left in
 * the buffer, it is written from the start again.
 *
 * <p>Two ways in: the socket reads into the buffer itself ({@link #newHandle}), or bytes that were
 * decrypted elsewhere are appended ({@link #append}). One connection uses one of them.
 *
 * <p>Confined to the connection's event loop.
 */
@SuppressWarnings("deprecation") // Handle: the type that channels take
final class ReceiveBuffer implements RecvByteBufAllocator {
  /** For a connection that has not proved anything. */
  static final int FIRST_BYTES = 4 * 1024;

  /** For a quiet connection. */
  static final int QUIET_BYTES = 64 * 1024;

  static final int DEFAULT_MAX_BYTES = 1 << 20;

  /** Room below which a read is not worth its system call when a new buffer can be had. */
  private static final int MIN_ROOM = 8 * 1024;

  private static final int GROWTH = 4;

  /** Where a read goes that no memory was had for; what comes in is dropped. */
  private static final ByteBuffer NOWHERE = ByteBuffer.allocateDirect(64);

  /** Reads in a row that would have fitted a smaller buffer until one is taken. */
  private static final int SMALL_READS = 256;

  private final ReceiveMemory memory;
  private final int maxBytes;
  private ReceiveChunk chunk;
  private int size = FIRST_BYTES;
  private int start;
  private int end;

  /** Length of the frame that begins at {@code start}, as far as it is known. */
  private int expected;

  private int smallReads;
  private long copied;
  private boolean trusted;
  private boolean released;
  private OutOfMemoryError refused;

  /**
   * Creates one; takes no memory yet.
   *
   * @param memory where buffers come from
   * @param maxBytes the largest buffer, unless a frame needs more
   */
  ReceiveBuffer(ReceiveMemory memory, int maxBytes) {
    this.memory = memory;
    this.maxBytes = maxBytes;
  }

  /** The connection is trusted: take a buffer for traffic the next time. */
  void expectTraffic() {
    trusted = true;
    size = Math.max(size, Math.min(QUIET_BYTES, maxBytes));
  }

  ReceiveChunk chunk() {
    return chunk;
  }

  ByteBuffer view() {
    return chunk.view();
  }

  /** Where the unparsed bytes start. */
  int start() {
    return start;
  }

  /** How many there are. */
  int available() {
    return end - start;
  }

  /** Everything before an index is parsed. */
  void parsedTo(int index) {
    start = index;
    expected = 0;
  }

  /**
   * A frame began and is not complete.
   *
   * @param length its whole length, checked against the limit
   */
  void expect(int length) {
    expected = length;
  }

  /** Whether so many more bytes end the frame that began, if one did. */
  boolean completes(int more) {
    return available() + more >= expected;
  }

  /** Whether bytes were read into this buffer, and not by another handler into one of its own. */
  @SuppressWarnings("ReferenceEquality") // the very buffer, not one with equal bytes
  boolean isRead(ByteBuf read) {
    return chunk != null && read == chunk.buffer();
  }

  /** Why the last read had to go nowhere, or null: what it brought is lost. */
  OutOfMemoryError refused() {
    return refused;
  }

  /** Lends the buffer to a read of the socket: what is written goes behind the unparsed bytes. */
  ByteBuf beginRead() {
    makeRoom();
    ByteBuf buffer = chunk.buffer();
    buffer.setIndex(end, end);
    return buffer.retain();
  }

  /** Takes it back. */
  void endRead(ByteBuf read) {
    count(read.writerIndex() - end);
    end = read.writerIndex();
    read.release();
  }

  /**
   * Copies as much as there is room for.
   *
   * @param source its reader index is advanced
   */
  void append(ByteBuf source) {
    makeRoom();
    int length = Math.min(source.readableBytes(), chunk.capacity() - end);
    source.readBytes(chunk.buffer().setIndex(0, end), length);
    count(length);
    end += length;
  }

  /** Bytes of frames that lay across two buffers, copied so far. */
  long copiedBytes() {
    return copied;
  }

  /** Lets go of everything. */
  void release() {
    released = true;
    if (chunk != null) {
      chunk.retire();
      chunk = null;
    }
    start = 0;
    end = 0;
  }

  private void makeRoom() {
    if (released) {
      throw new IllegalStateException("a read after the connection's end");
    }
    if (chunk == null) {
      chunk = memory.newChunk(size, size);
      return;
    }
    int unparsed = end - start;
    if (unparsed == 0) {
      if (chunk.idle()) {
        start = 0;
        end = 0;
        if (chunk.capacity() > size || (chunk.capacity() < size && memory.hasRoom(size))) {
          replace(0);
        }
      } else if (chunk.capacity() - end < Math.min(MIN_ROOM, chunk.capacity() / 4)) {
        replace(0);
      }
    } else if (start + Math.max(expected, Sofh.LENGTH) > chunk.capacity()) {
      makeRoomFor(unparsed);
    }
  }

  private void makeRoomFor(int unparsed) {
    size = Math.max(size, expected);
    if (chunk.idle()
        && chunk.capacity() >= expected
        && (chunk.capacity() >= size || !memory.hasRoom(size))) {
      // Nobody looks: move the beginning of the frame to the front of the same buffer.
      chunk.buffer().setBytes(0, chunk.buffer(), start, unparsed);
      copied += unparsed;
      start = 0;
      end = unparsed;
    } else {
      replace(unparsed);
    }
  }

  private void replace(int unparsed) {
    ReceiveChunk next = memory.newChunk(Math.max(expected, Math.min(size, QUIET_BYTES)), size);
    next.buffer().setBytes(0, chunk.buffer(), start, unparsed);
    copied += unparsed;
    chunk.retire();
    chunk = next;
    start = 0;
    end = unparsed;
  }

  /** Follows the traffic: a read that fills what there was asks for more, small ones for less. */
  private void count(int read) {
    if (!trusted) {
      return;
    }
    if (end + read == chunk.capacity()) {
      size = (int) Math.min(Math.max(size, maxBytes), (long) size * GROWTH);
      smallReads = 0;
    } else if (read >= size / GROWTH || size <= QUIET_BYTES) {
      smallReads = 0;
    } else if (++smallReads == SMALL_READS) {
      size = Math.max(QUIET_BYTES, size / GROWTH);
      smallReads = 0;
    }
  }

  @Override
  public Handle newHandle() {
    return new ReadHandle();
  }

  /** What a channel asks before and after each read. */
  private final class ReadHandle implements ExtendedHandle {
    private ChannelConfig config;
    private int attempted;
    private int last;
    private long total;

    @Override
    public ByteBuf allocate(ByteBufAllocator alloc) {
      try {
        ByteBuf buffer = beginRead();
        refused = null;
        return buffer;
      } catch (OutOfMemoryError e) {
        // Thrown at the channel it may end the event loop, and with it all other connections.
        refused = e;
        return Unpooled.wrappedBuffer(NOWHERE.duplicate()).clear();
      }
    }

    @Override
    public int guess() {
      return size;
    }

    @Override
    public void reset(ChannelConfig channelConfig) {
      config = channelConfig;
      total = 0;
    }

    @Override
    public void incMessagesRead(int messages) {
      // Bytes bound a turn, not reads.
    }

    @Override
    public void lastBytesRead(int bytes) {
      last = bytes;
      total += Math.max(0, bytes);
    }

    @Override
    public int lastBytesRead() {
      return last;
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      attempted = bytes;
    }

    @Override
    public int attemptedBytesRead() {
      return attempted;
    }

    @Override
    public boolean continueReading() {
      return continueReading(() -> last == attempted);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier mayHaveMore) {
      return !released && config.isAutoRead() && last > 0 && total < maxBytes && mayHaveMore.get();
    }

    @Override
    public void readComplete() {
      // The next turn starts with reset.
    }
  }
}

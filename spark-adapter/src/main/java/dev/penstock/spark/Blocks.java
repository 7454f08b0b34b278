package dev.penstock.spark;

import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.TransportException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Messages taken out of a gate in one go, side by side in one array, and put together where they
 * came in pieces. Used again once all have been read.
 */
final class Blocks implements MessageHandler {
  private final Map<Integer, ByteArrayOutputStream> pieces;
  private byte[] bytes = new byte[64 << 10];
  private int[] ends = new int[3 * 64];
  private int count;
  private int next;
  private int used;
  private long localBytes;
  private long remoteBytes;
  private final ReaderSession session;
  private TransportException failure;

  /**
   * Creates an empty one.
   *
   * @param pieces unfinished messages by producer, shared with other blocks of the same gate
   */
  Blocks(ReaderSession session, Map<Integer, ByteArrayOutputStream> pieces) {
    this.session = session;
    this.pieces = pieces;
  }

  static Map<Integer, ByteArrayOutputStream> pieces() {
    return new HashMap<>();
  }

  void clear() {
    count = 0;
    next = 0;
    used = 0;
    localBytes = 0;
    remoteBytes = 0;
  }

  boolean hasNext() {
    return next < count;
  }

  /** Moves on; then {@link #kind}, {@link #offset} and {@link #length} are of the next message. */
  void advance() {
    next++;
  }

  byte[] bytes() {
    return bytes;
  }

  int kind() {
    return ends[3 * next - 1];
  }

  int offset() {
    return ends[3 * next - 3];
  }

  int length() {
    return ends[3 * next - 2];
  }

  long localBytes() {
    return localBytes;
  }

  long remoteBytes() {
    return remoteBytes;
  }

  TransportException failure() {
    return failure;
  }

  @Override
  public void onMessage(int producer, ByteBuffer message) {
    int header = message.get();
    int length = message.remaining();
    if (session.isLocal(producer)) {
      localBytes += length;
    } else {
      remoteBytes += length;
    }
    if ((header & Frame.MORE) != 0 || pieces.containsKey(producer)) {
      join(producer, header, message);
      return;
    }
    if ((header & Frame.PACKED) != 0) {
      byte[] packed = new byte[length];
      message.get(packed);
      addUnpacked(packed, header);
      return;
    }
    int offset = room(length);
    message.get(bytes, offset, length);
    add(offset, length, header);
  }

  private void addUnpacked(byte[] packed, int header) {
    addCopy(session.compression().unpack(packed, 0, packed.length), header & ~Frame.PACKED);
  }

  private void addCopy(byte[] whole, int header) {
    int offset = room(whole.length);
    System.arraycopy(whole, 0, bytes, offset, whole.length);
    add(offset, whole.length, header);
  }

  private void join(int producer, int header, ByteBuffer message) {
    ByteArrayOutputStream joined =
        pieces.computeIfAbsent(producer, unused -> new ByteArrayOutputStream());
    byte[] piece = new byte[message.remaining()];
    message.get(piece);
    joined.write(piece, 0, piece.length);
    if ((header & Frame.MORE) == 0) {
      pieces.remove(producer);
      if ((header & Frame.PACKED) != 0) {
        addUnpacked(joined.toByteArray(), header);
      } else {
        addCopy(joined.toByteArray(), header);
      }
    }
  }

  private int room(int length) {
    long needed = (long) used + length;
    if (needed > Integer.MAX_VALUE - 64) {
      throw new IllegalStateException(
          "one row of " + length + " bytes does not fit into an array with what is there");
    }
    if (needed > bytes.length) {
      long twice = Math.min(Integer.MAX_VALUE - 64, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, twice));
    }
    return used;
  }

  private void add(int offset, int length, int kind) {
    if (3 * count + 3 > ends.length) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    ends[3 * count] = offset;
    ends[3 * count + 1] = length;
    ends[3 * count + 2] = kind;
    count++;
    // Rows are read in words.
    used = (int) Math.min(Integer.MAX_VALUE - 64L, (offset + (long) length + 7) & ~7L);
  }

  @Override
  public void onFailure(int producer, TransportException cause) {
    if (failure == null) {
      failure = cause;
    }
  }
}

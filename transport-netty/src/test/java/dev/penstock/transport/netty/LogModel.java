package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Record;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** What an append log should hold: all record bytes ever appended and where records end. */
final class LogModel {
  final long start;
  final long startSequence;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Long> ends = new ArrayList<>();

  LogModel(long start, long startSequence) {
    this.start = start;
    this.startSequence = startSequence;
  }

  static byte[] randomBody(Random random, int length) {
    byte[] body = new byte[length];
    random.nextBytes(body);
    return body;
  }

  void append(int kind, byte[] body) {
    ByteBuffer head = ByteBuffer.allocate(Record.HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(Record.head(kind, body.length));
    bytes.writeBytes(head.array());
    bytes.writeBytes(body);
    ends.add(position());
  }

  long position() {
    return start + bytes.size();
  }

  long sequence() {
    return startSequence + ends.size();
  }

  /** Messages that end at or before a position. */
  long messagesUpTo(long position) {
    return ends.stream().filter(end -> end <= position).count();
  }

  boolean isBoundary(long position) {
    return position == start || ends.contains(position);
  }

  /** The end of the record that has the byte at a position. */
  long recordEnd(long position) {
    return ends.stream().filter(end -> end > position).findFirst().orElseThrow();
  }

  long recordStart(long position) {
    return ends.stream().filter(end -> end <= position).reduce(start, (a, b) -> b);
  }

  byte[] slice(long position, int length) {
    byte[] all = bytes.toByteArray();
    int from = (int) (position - start);
    return java.util.Arrays.copyOfRange(all, from, from + length);
  }

  /** Checks a cut against the contract of the port, and the bytes behind it. */
  void check(
      AppendLog log, long position, int maxLength, int pieceLength, FrameCut cut, boolean crcOn) {
    assertThat(cut.length).isBetween(1, maxLength);
    long end = position + cut.length;
    assertThat(end).isLessThanOrEqualTo(position());
    assertThat(cut.messages).isEqualTo((int) (messagesUpTo(end) - messagesUpTo(position)));
    long total = recordEnd(position) - recordStart(position);
    if ((cut.flags & Frames.PIECE) == 0) {
      assertThat(cut.flags).isZero();
      assertThat(isBoundary(position)).isTrue();
      assertThat(isBoundary(end)).isTrue();
    } else {
      boolean last = end == recordEnd(position);
      assertThat(cut.flags).isEqualTo(last ? Frames.PIECE | Frames.LAST_PIECE : Frames.PIECE);
      assertThat(total).isGreaterThan(pieceLength);
      assertThat(end).isLessThanOrEqualTo(recordEnd(position));
      long rest = recordEnd(position) - position;
      assertThat((long) cut.length).isGreaterThanOrEqualTo(Math.min(rest, pieceLength));
    }
    byte[] expected = slice(position, cut.length);
    CRC32C crc = new CRC32C();
    crc.update(expected);
    assertThat(cut.crc).isEqualTo(crcOn ? (int) crc.getValue() : 0);
    assertThat(copied(log, position, cut.length)).isEqualTo(expected);
    assertThat(sliced(log, position, cut.length)).isEqualTo(expected);
  }

  /** Checks that a refused cut could not have been made. */
  void checkRefused(long position, int maxLength, int pieceLength) {
    if (position == position()) {
      return;
    }
    long rest = recordEnd(position) - position;
    assertThat(rest).isGreaterThan(maxLength);
    long total = recordEnd(position) - recordStart(position);
    if (total > pieceLength) {
      assertThat((long) maxLength).isLessThan(Math.min(rest, pieceLength));
    }
  }

  private static byte[] copied(AppendLog log, long position, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    log.copyPayload(position, length, target);
    assertThat(target.hasRemaining()).isFalse();
    return target.array();
  }

  private static byte[] sliced(AppendLog log, long position, int length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    log.slicePayload(position, length, slice -> drain(slice, out));
    return out.toByteArray();
  }

  private static void drain(ByteBuf slice, ByteArrayOutputStream out) {
    byte[] part = new byte[slice.readableBytes()];
    slice.readBytes(part);
    slice.release();
    out.writeBytes(part);
  }
}

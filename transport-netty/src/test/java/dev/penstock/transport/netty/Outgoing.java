package dev.penstock.transport.netty;

import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Record;
import dev.penstock.transport.wire.WireCodec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;

/** A sender's half of one channel, reduced to bytes: records in, frames out. */
final class Outgoing {
  private final FrameEncoder encoder;
  private final int channel;
  private final ByteArrayOutputStream wire;
  private long position;
  private long sequence;

  Outgoing(WireCodec codec, int channel, ByteArrayOutputStream wire) {
    this.encoder = codec.newEncoder();
    this.channel = channel;
    this.wire = wire;
  }

  long position() {
    return position;
  }

  long sequence() {
    return sequence;
  }

  static byte[] record(int kind, byte[] body) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Record.HEAD_BYTES + body.length).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.putInt(Record.head(kind, body.length)).put(body).array();
  }

  static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** One frame of whole records. */
  void frame(byte[]... bodies) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (byte[] body : bodies) {
      payload.writeBytes(record(Record.MESSAGE, body));
    }
    data(payload.toByteArray(), bodies.length, 0);
  }

  /** One record in frames of at most so many bytes of payload. */
  void pieces(byte[] body, int most) {
    byte[] record = record(Record.MESSAGE, body);
    for (int from = 0; from < record.length; from += most) {
      int to = Math.min(record.length, from + most);
      boolean last = to == record.length;
      data(
          Arrays.copyOfRange(record, from, to),
          last ? 1 : 0,
          last ? Frames.PIECE | Frames.LAST_PIECE : Frames.PIECE);
    }
  }

  void data(byte[] payload, int messages, int flags) {
    data(payload, messages, flags, crc(payload));
  }

  void data(byte[] payload, int messages, int flags, int crc) {
    ByteBuffer header = ByteBuffer.allocate(1024);
    encoder.bind(header);
    encoder.data(
        channel, position, sequence, messages, flags, payload.length, 0, payload.length, crc);
    wire.write(header.array(), 0, header.position());
    wire.writeBytes(payload);
    position += payload.length;
    sequence += messages;
  }

  static void ping(WireCodec codec, long value, ByteArrayOutputStream wire) {
    FrameEncoder encoder = codec.newEncoder();
    ByteBuffer header = ByteBuffer.allocate(1024);
    encoder.bind(header);
    encoder.ping(value);
    wire.write(header.array(), 0, header.position());
  }
}

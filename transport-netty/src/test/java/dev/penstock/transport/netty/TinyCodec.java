package dev.penstock.transport.netty;

import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.FrameKind;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * DATA and PING, laid out as their canonical fields: enough to drive the receiving side without
 * another module.
 */
final class TinyCodec implements WireCodec {
  static final int TYPE = 0x7E57;
  private static final int DATA_BYTES = 1 + 4 + 8 + 8 + 4 + 1 + 4 + 8 + 4 + 4;
  private static final int PING_BYTES = 1 + 8;
  private static final int CRC_BYTES = 4;

  @Override
  public int encodingType() {
    return TYPE;
  }

  @Override
  public String name() {
    return "tiny";
  }

  @Override
  public FrameEncoder newEncoder() {
    return new Encoder();
  }

  @Override
  public FrameDecoder newDecoder() {
    return new Decoder();
  }

  private static final class Encoder extends FramesAdapter implements FrameEncoder {
    private final CanonicalFields fields = new CanonicalFields();
    private ByteBuffer target;

    @Override
    public void bind(ByteBuffer buffer) {
      target = buffer;
    }

    @Override
    public void data(
        int channel,
        long position,
        long sequence,
        int messages,
        int flags,
        int uncompressedLength,
        long backlog,
        int payloadLength,
        int payloadCrc) {
      fields.data(
          channel,
          position,
          sequence,
          messages,
          flags,
          uncompressedLength,
          backlog,
          payloadLength,
          payloadCrc);
      write(payloadLength);
    }

    @Override
    public void ping(long value) {
      fields.ping(value);
      write(0);
    }

    private void write(int payload) {
      byte[] bytes = fields.toByteArray();
      int start = target.position();
      target.position(start + Sofh.LENGTH);
      target.put(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(fields.crc());
      Sofh.put(target, start, target.position() - start + payload, TYPE);
    }
  }

  private static final class Decoder implements FrameDecoder {
    private final CanonicalFields fields = new CanonicalFields();

    @Override
    public void decode(ByteBuffer source, int index, int length, Frames frames)
        throws MalformedFrameException {
      source.order(ByteOrder.LITTLE_ENDIAN);
      int i = index + Sofh.LENGTH;
      int kind = source.get(i);
      if (kind == FrameKind.DATA && length >= Sofh.LENGTH + DATA_BYTES + CRC_BYTES) {
        data(source, i, fields);
        int payload = source.getInt(i + 38);
        check(source, i + DATA_BYTES, length - Sofh.LENGTH - DATA_BYTES - CRC_BYTES == payload);
        data(source, i, frames);
      } else if (kind == FrameKind.PING && length == Sofh.LENGTH + PING_BYTES + CRC_BYTES) {
        fields.ping(source.getLong(i + 1));
        check(source, i + PING_BYTES, true);
        frames.ping(source.getLong(i + 1));
      } else {
        throw new MalformedFrameException("kind " + kind + ", " + length + " bytes");
      }
    }

    private void check(ByteBuffer source, int index, boolean length)
        throws MalformedFrameException {
      if (!length || source.getInt(index) != fields.crc()) {
        throw new MalformedFrameException("length or field CRC does not match");
      }
    }

    private static void data(ByteBuffer source, int i, Frames frames) {
      frames.data(
          source.getInt(i + 1),
          source.getLong(i + 5),
          source.getLong(i + 13),
          source.getInt(i + 21),
          source.get(i + 25),
          source.getInt(i + 26),
          source.getLong(i + 30),
          source.getInt(i + 38),
          source.getInt(i + 42));
    }
  }
}

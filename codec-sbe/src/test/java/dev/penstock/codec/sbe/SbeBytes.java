package dev.penstock.codec.sbe;

import dev.penstock.codec.sbe.generated.MessageHeaderEncoder;
import dev.penstock.transport.testkit.RecordingFrames;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;

/** Frames as bytes that a test can damage. */
final class SbeBytes {
  static final int HEADER = Sofh.LENGTH;
  static final int BLOCK = Sofh.LENGTH + MessageHeaderEncoder.ENCODED_LENGTH;

  private SbeBytes() {}

  static byte[] encode(Consumer<Frames> call) {
    ByteBuffer target = ByteBuffer.allocate(WireLimits.MAX_HEADER_BYTES);
    SbeFrameEncoder encoder = new SbeFrameEncoder();
    encoder.bind(target);
    call.accept(encoder);
    return Arrays.copyOf(target.array(), target.position());
  }

  static RecordingFrames.Call decode(byte[] frame) throws MalformedFrameException {
    RecordingFrames recording = new RecordingFrames();
    new SbeFrameDecoder().decode(ByteBuffer.wrap(frame), 0, frame.length, recording);
    return recording.only();
  }

  static ByteBuffer littleEndian(byte[] frame) {
    return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A copy with bytes put in and the SOFH's length corrected. */
  static byte[] inserted(byte[] frame, int at, byte... more) {
    ByteBuffer longer = ByteBuffer.allocate(frame.length + more.length);
    longer.put(frame, 0, at).put(more).put(frame, at, frame.length - at);
    return withLength(longer.array());
  }

  /** A copy with bytes taken out and the SOFH's length corrected. */
  static byte[] removed(byte[] frame, int at, int count) {
    ByteBuffer shorter = ByteBuffer.allocate(frame.length - count);
    shorter.put(frame, 0, at).put(frame, at + count, frame.length - at - count);
    return withLength(shorter.array());
  }

  private static byte[] withLength(byte[] frame) {
    Sofh.put(ByteBuffer.wrap(frame), 0, frame.length, SbeWireCodec.ENCODING_TYPE);
    return frame;
  }
}

package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.RecordingFrames;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is tried with any bytes, be they from a corpus or from a fuzzer. */
final class DecoderFuzz {
  private static final Pattern CRC = Pattern.compile("field CRC: expected \\d+, got (\\d+)");
  private static final int MARGIN = 3;

  private DecoderFuzz() {}

  /** The input that makes {@link #run} decode a frame. */
  static byte[] input(byte[] frame) {
    byte[] input = new byte[1 + frame.length];
    System.arraycopy(frame, 0, input, 1, frame.length);
    return input;
  }

  /**
   * Reads the bytes behind the first as a frame; the first says how they lie in memory. A wrong
   * SOFH is put right, as a transport checks it, and a wrong field CRC, which no fuzzer would
   * guess. What can be read must survive being written and read again; anything but a malformed
   * frame is a finding.
   */
  static void run(byte[] input) {
    if (input.length < 1 + Sofh.LENGTH) {
      return;
    }
    byte[] frame = Arrays.copyOfRange(input, 1, input.length);
    Sofh.put(ByteBuffer.wrap(frame), 0, frame.length, SbeWireCodec.ENCODING_TYPE);
    RecordingFrames read = new RecordingFrames();
    try {
      decode(input[0], frame, read);
    } catch (MalformedFrameException e) {
      assertThat(read.calls()).isEmpty();
      Matcher crc = CRC.matcher(e.getMessage());
      if (!crc.find()) {
        return;
      }
      int right = Integer.parseUnsignedInt(crc.group(1));
      SbeBytes.littleEndian(frame).putInt(SbeBytes.BLOCK, right);
      decodeSealed(input[0], frame, read);
    }
    assertSurvivesEncoding(read.only());
  }

  /** The field CRC is checked last: with the right one nothing is left to object to. */
  private static void decodeSealed(byte layout, byte[] frame, RecordingFrames read) {
    try {
      decode(layout, frame, read);
    } catch (MalformedFrameException e) {
      throw new AssertionError("with the right field CRC", e);
    }
  }

  private static void decode(byte layout, byte[] frame, Frames frames)
      throws MalformedFrameException {
    int index = (layout & 2) == 0 ? 0 : MARGIN;
    int room = frame.length + 2 * index;
    ByteBuffer source =
        (layout & 1) == 0 ? ByteBuffer.allocate(room) : ByteBuffer.allocateDirect(room);
    source.put(index, frame);
    new SbeFrameDecoder().decode(source, index, frame.length, frames);
  }

  private static void assertSurvivesEncoding(RecordingFrames.Call call) {
    ByteBuffer target = ByteBuffer.allocate(WireLimits.MAX_HEADER_BYTES);
    SbeFrameEncoder encoder = new SbeFrameEncoder();
    encoder.bind(target);
    call.replay(encoder);
    byte[] again = Arrays.copyOf(target.array(), (int) Sofh.frameLength(target, 0));
    try {
      assertThat(List.of(SbeBytes.decode(again))).isEqualTo(List.of(call));
    } catch (MalformedFrameException e) {
      throw new AssertionError(call.toString(), e);
    }
  }
}

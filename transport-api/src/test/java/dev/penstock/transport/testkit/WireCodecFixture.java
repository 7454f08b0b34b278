package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.penstock.transport.testkit.RecordingFrames.Call;
import dev.penstock.transport.testkit.SampleFrames.Sample;
import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireCodec;
import dev.penstock.transport.wire.WireLimits;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Writes and reads samples of all frames over a codec. */
abstract class WireCodecFixture {
  @RegisterExtension final SeedOnFailure seed = new SeedOnFailure("penstock.codec.seed");

  final Random random = new Random(seed.value());
  final SampleFrames samples = new SampleFrames(random);
  FrameEncoder encoder;
  FrameDecoder decoder;

  /**
   * The codec under test.
   *
   * @return always the same codec, or equal ones
   */
  protected abstract WireCodec codec();

  @BeforeEach
  void makeEncoderAndDecoder() {
    encoder = codec().newEncoder();
    decoder = codec().newDecoder();
  }

  /** Half of it has a sound SOFH, and half of that a sound beginning. */
  final byte[] noise(Sample sample) {
    byte[] noise = new byte[random.nextInt(200)];
    random.nextBytes(noise);
    if (noise.length < Sofh.LENGTH || random.nextBoolean()) {
      return noise;
    }
    if (random.nextBoolean()) {
      byte[] frame = encode(sample);
      int kept = Math.min(noise.length, random.nextInt(frame.length));
      System.arraycopy(frame, 0, noise, 0, kept);
    }
    Sofh.put(ByteBuffer.wrap(noise), 0, noise.length, codec().encodingType());
    return noise;
  }

  final List<Sample> everything(int rounds) {
    List<Sample> all = new ArrayList<>(SampleFrames.extremes());
    all.addAll(samples.ofEveryKind(rounds));
    return all;
  }

  final byte[] encode(Sample sample) {
    ByteBuffer buffer = ByteBuffer.allocate(WireLimits.MAX_HEADER_BYTES + sample.payloadLength());
    int length = write(encoder, sample, buffer);
    return Arrays.copyOf(buffer.array(), length);
  }

  /** Writes the frame and a payload at the buffer's position; returns the length. */
  final int write(FrameEncoder encoder, Sample sample, ByteBuffer buffer) {
    int index = buffer.position();
    encoder.bind(buffer);
    sample.call().accept(encoder);
    byte[] payload = new byte[sample.payloadLength()];
    random.nextBytes(payload);
    buffer.put(payload);
    return buffer.position() - index;
  }

  final void decode(byte[] frame, Frames frames) throws MalformedFrameException {
    decoder.decode(ByteBuffer.wrap(frame), 0, frame.length, frames);
  }

  final Call readOrNull(byte[] frame) {
    RecordingFrames recording = new RecordingFrames();
    try {
      decode(frame, recording);
    } catch (MalformedFrameException expected) {
      checkMalformed(expected, recording);
      return null;
    }
    return recording.only();
  }

  static void checkMalformed(MalformedFrameException e, RecordingFrames recording) {
    if (!e.getMessage().contains("expected") || !e.getMessage().contains("got")) {
      fail("a message that says what was expected and what came, not: " + e.getMessage());
    }
    if (!recording.calls().isEmpty()) {
      fail("called in spite of the exception: " + recording.calls());
    }
  }

  final String outcome(byte[] bytes, int index, int length) {
    RecordingFrames recording = new RecordingFrames();
    try {
      decoder.decode(ByteBuffer.wrap(bytes), index, length, recording);
      return recording.only().toString();
    } catch (MalformedFrameException e) {
      return e.getMessage();
    }
  }

  static boolean overflows(FrameEncoder encoder, Sample sample) {
    try {
      sample.call().accept(encoder);
      return false;
    } catch (BufferOverflowException expected) {
      return true;
    }
  }

  final void assertMalformed(byte[] frame, Sample sample, String damage) {
    Call read = readOrNull(frame);
    if (read != null) {
      fail("%s, %s: expected to be malformed, got %s".formatted(sample, damage, read));
    }
  }

  /** Copy with a new length, in the SOFH, too. */
  final byte[] withLength(byte[] frame, int length) {
    return withLength(frame, length, length);
  }

  final byte[] withLength(byte[] frame, int stated, int length) {
    byte[] copy = Arrays.copyOf(frame, length);
    Sofh.put(ByteBuffer.wrap(copy), 0, stated, codec().encodingType());
    return copy;
  }

  static int payloads(List<Sample> samples) {
    return samples.stream().mapToInt(Sample::payloadLength).sum();
  }

  static void assertCut(String text, String cut, int maxBytes) {
    assertThat(text).startsWith(cut);
    byte[] utf8 = cut.getBytes(StandardCharsets.UTF_8);
    assertThat(utf8.length).isBetween(maxBytes - 3, maxBytes);
    int next = text.codePointAt(cut.length());
    int more = Character.toString(next).getBytes(StandardCharsets.UTF_8).length;
    assertThat(utf8.length + more).isGreaterThan(maxBytes);
  }
}

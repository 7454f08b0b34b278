package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.GoldenFile;
import dev.penstock.transport.testkit.GoldenFrames;
import dev.penstock.transport.testkit.GoldenVectors;
import dev.penstock.transport.testkit.GoldenVectors.Vector;
import dev.penstock.transport.testkit.PlainText;
import dev.penstock.transport.testkit.SampleFrames.Sample;
import dev.penstock.transport.wire.FrameKind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GoldenFramesTest {
  static final String RESOURCE = "/golden/v1/frames.txt";

  @Test
  void shouldEncodeTheGoldenBytes() {
    GoldenFile.writeIfAsked(
        Path.of("src/test/resources" + RESOURCE),
        "Frames of schema version 1 and their bytes, SOFH and payload included.",
        GoldenFrames.all().stream()
            .map(sample -> Vector.of(PlainText.lineOf(sample), frame(sample)))
            .toList());

    for (Vector vector : vectors()) {
      byte[] header = SbeBytes.encode(vector::send);
      byte[] bytes = vector.bytes();
      assertThat(bytes.length).isEqualTo(header.length + PlainText.payloadLength(vector.line()));
      byte[] golden = Arrays.copyOf(bytes, header.length);
      assertThat(Vector.of(vector.line(), header)).isEqualTo(Vector.of(vector.line(), golden));
    }
  }

  @Test
  void shouldDecodeTheGoldenBytes() throws Exception {
    for (Vector vector : vectors()) {
      assertThat(SbeBytes.decode(vector.bytes())).as(vector.line()).isEqualTo(vector.recorded());
    }
  }

  @Test
  void shouldHaveGoldenBytesOfEveryFrame() {
    assertThat(vectors().stream().map(vector -> vector.recorded().kind()).distinct())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(FrameKind.HELLO, FrameKind.GOAWAY).boxed().toList());
  }

  static List<Vector> vectors() {
    return GoldenVectors.read(GoldenFramesTest.class, RESOURCE);
  }

  private static byte[] frame(Sample sample) {
    byte[] header = SbeBytes.encode(sample.call());
    byte[] frame = Arrays.copyOf(header, header.length + sample.payloadLength());
    byte[] payload = GoldenFrames.PAYLOAD.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(payload, 0, frame, header.length, sample.payloadLength());
    return frame;
  }
}

package dev.penstock.transport.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.testkit.GoldenFile;
import dev.penstock.transport.testkit.GoldenFrames;
import dev.penstock.transport.testkit.GoldenVectors;
import dev.penstock.transport.testkit.GoldenVectors.Vector;
import dev.penstock.transport.testkit.PlainText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CanonicalFieldsTest {
  private static final String RESOURCE = "/golden/canonical.txt";

  private final CanonicalFields canonical = new CanonicalFields();

  @Test
  void shouldHaveTheBytesOfTheGoldenVectors() {
    GoldenFile.writeIfAsked(
        Path.of("src/test/resources" + RESOURCE),
        "Frames and their canonical bytes, over which the field CRC and the proofs are computed.",
        GoldenFrames.all().stream()
            .map(
                sample -> {
                  sample.call().accept(canonical);
                  return Vector.of(PlainText.lineOf(sample), canonical.toByteArray());
                })
            .toList());

    List<Vector> vectors = GoldenVectors.read(CanonicalFields.class, RESOURCE);
    for (Vector vector : vectors) {
      vector.send(canonical);
      assertThat(Vector.of(vector.line(), canonical.toByteArray())).isEqualTo(vector);
      assertThat(vector.line())
          .contains(" crc=" + HexFormat.of().toHexDigits(canonical.crc()) + " ");
    }
    assertThat(vectors.stream().map(vector -> (int) vector.bytes()[0]).distinct())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(FrameKind.HELLO, FrameKind.GOAWAY).boxed().toList());
  }

  @Test
  void shouldHaveTheBytesThatAPersonWouldList() {
    canonical.credit(0x01020304, 5, -2, 0x1122334455667788L);
    assertThat(HexFormat.of().formatHex(canonical.toByteArray()))
        .isEqualTo(
            "09" // CREDIT
                + "04030201" // channel
                + "0500000000000000" // received
                + "feffffffffffffff" // consumed
                + "8877665544332211"); // limit
    canonical.goAway(ErrorCode.SHUTTING_DOWN, "ö", true);
    assertThat(HexFormat.of().formatHex(canonical.toByteArray()))
        .isEqualTo(
            "10" // GOAWAY
                + "1400" // code
                + "0200c3b6" // text
                + "01"); // draining
  }

  @Test
  void shouldSumTheBytesWithCrc32c() {
    // PING and a value whose nine bytes have a CRC32C worked out bit by bit.
    canonical.ping(0x0807060504030201L);
    assertThat(canonical.crc()).isEqualTo(slowCrc32c(canonical.toByteArray()));
    assertThat(slowCrc32c("123456789".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0xE3069283);
  }

  @Test
  void shouldCutTextsWhereACodecCutsThem() {
    String name = "ö".repeat(200);
    canonical.goAway(ErrorCode.INTERNAL, name.repeat(3), false);
    byte[] whole = canonical.toByteArray();
    canonical.goAway(ErrorCode.INTERNAL, "ö".repeat(WireLimits.MAX_TEXT_BYTES / 2), false);
    assertThat(whole).isEqualTo(canonical.toByteArray());
    canonical.reset(1, ErrorCode.INTERNAL, name.repeat(3));
    assertThat(canonical.toByteArray()).hasSize(1 + 4 + 2 + 2 + WireLimits.MAX_TEXT_BYTES);
  }

  @Test
  void shouldKeepTheNumberOfAnUnknownErrorCode() {
    canonical.reset(1, 999, "");
    int unknown = canonical.crc();
    assertThat(canonical.toByteArray()).containsSequence(999 & 0xFF, 999 >> 8);
    canonical.reset(1, ErrorCode.INTERNAL, "");
    assertThat(canonical.crc()).isNotEqualTo(unknown);
  }

  private static int slowCrc32c(byte[] bytes) {
    int crc = -1;
    for (byte value : bytes) {
      crc ^= value & 0xFF;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ 0x82F63B78;
      }
    }
    return ~crc;
  }
}

package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PlainTextCodecTest extends WireCodecContract {
  @Override
  protected WireCodec codec() {
    return new PlainTextCodec();
  }

  @Test
  void shouldWriteLinesThatAPersonCanRead() {
    ByteBuffer target = ByteBuffer.allocate(200);
    var encoder = codec().newEncoder();
    encoder.bind(target);
    encoder.credit(7, 100, 40, -1);
    CanonicalFields canonical = new CanonicalFields();
    canonical.credit(7, 100, 40, -1);
    String line =
        new String(
            target.array(), Sofh.LENGTH, target.position() - Sofh.LENGTH, StandardCharsets.UTF_8);
    assertThat(line)
        .isEqualTo(
            "credit crc="
                + HexFormat.of().toHexDigits(canonical.crc())
                + " channel=7 received=100 consumed=40 limit=18446744073709551615\n");
  }

  @Test
  void shouldSkipFieldsThatANewerPeerAppended() throws Exception {
    CanonicalFields canonical = new CanonicalFields();
    canonical.ping(5);
    byte[] line =
        ("ping crc=" + HexFormat.of().toHexDigits(canonical.crc()) + " value=5 mood=good\n")
            .getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = ByteBuffer.allocate(Sofh.LENGTH + line.length);
    Sofh.put(frame, 0, frame.capacity(), PlainTextCodec.ENCODING_TYPE);
    frame.position(Sofh.LENGTH).put(line);
    RecordingFrames recording = new RecordingFrames();
    codec().newDecoder().decode(frame, 0, frame.capacity(), recording);
    assertThat(recording.only().arguments()).containsExactly(5L);
  }
}

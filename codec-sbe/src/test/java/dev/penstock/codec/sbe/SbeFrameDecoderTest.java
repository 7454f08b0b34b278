package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.codec.sbe.generated.DataEncoder;
import dev.penstock.codec.sbe.generated.GoAwayEncoder;
import dev.penstock.codec.sbe.generated.HelloEncoder;
import dev.penstock.codec.sbe.generated.MessageHeaderEncoder;
import dev.penstock.codec.sbe.generated.OpenEncoder;
import dev.penstock.codec.sbe.generated.OpenedEncoder;
import dev.penstock.codec.sbe.generated.ProofEncoder;
import dev.penstock.codec.sbe.generated.ReadyEncoder;
import dev.penstock.codec.sbe.generated.ResetEncoder;
import dev.penstock.codec.sbe.generated.WelcomeEncoder;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.testkit.GoldenFrames;
import dev.penstock.transport.testkit.RecordingFrames;
import dev.penstock.transport.testkit.SampleFrames.Sample;
import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.FrameKind;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The documented answer to each way in which SBE bytes can be wrong. */
class SbeFrameDecoderTest {
  private static final int BLOCK_LENGTH_AT =
      SbeBytes.HEADER + MessageHeaderEncoder.blockLengthEncodingOffset();
  private static final int TEMPLATE_AT =
      SbeBytes.HEADER + MessageHeaderEncoder.templateIdEncodingOffset();
  private static final int SCHEMA_AT =
      SbeBytes.HEADER + MessageHeaderEncoder.schemaIdEncodingOffset();
  private static final int VERSION_AT =
      SbeBytes.HEADER + MessageHeaderEncoder.versionEncodingOffset();
  private static final int NEWER = MessageHeaderEncoder.SCHEMA_VERSION + 1;

  @Test
  void shouldRejectAnUnknownTemplate() {
    for (int template : new int[] {0, 17, 18, 255, 0xFFFF}) {
      byte[] frame = SbeBytes.encode(f -> f.ping(1));
      putU16(frame, TEMPLATE_AT, template);
      assertMalformed(frame, "template id: expected 1 to 16, got " + template);
    }
  }

  @Test
  void shouldRejectAnotherSchema() {
    byte[] frame = SbeBytes.encode(f -> f.ping(1));
    putU16(frame, SCHEMA_AT, 1);
    assertMalformed(frame, "schema id: expected 20563, got 1");
  }

  @Test
  void shouldRejectAVersionThatNeverWas() {
    byte[] frame = SbeBytes.encode(f -> f.ping(1));
    putU16(frame, VERSION_AT, 0);
    assertMalformed(frame, "schema version: expected 1 or newer, got 0");
  }

  @Test
  void shouldRejectABlockThatIsShorterThanItsFields() {
    for (Sample sample : GoldenFrames.all()) {
      for (int version : new int[] {NEWER - 1, NEWER}) {
        byte[] whole = SbeBytes.encode(sample.call());
        int block = u16(whole, BLOCK_LENGTH_AT);
        byte[] frame = SbeBytes.removed(whole, SbeBytes.BLOCK + block - 1, 1);
        putU16(frame, BLOCK_LENGTH_AT, block - 1);
        putU16(frame, VERSION_AT, version);
        assertMalformed(frame, "got " + (block - 1));
      }
    }
  }

  @Test
  void shouldSkipFieldsThatANewerVersionAppended() throws Exception {
    for (Sample sample : GoldenFrames.all()) {
      if (layoutIsFixed(sample.kind())) {
        continue;
      }
      byte[] frame = appended(sample);
      putU16(frame, VERSION_AT, NEWER);
      assertThat(SbeBytes.decode(frame)).isEqualTo(sample.recorded());
    }
  }

  @Test
  void shouldRejectALongerBlockOfAKnownVersion() {
    for (Sample sample : GoldenFrames.all()) {
      assertMalformed(appended(sample), "block length: expected ");
    }
  }

  @Test
  void shouldNeverTakeAnotherLayoutOfTheFixedFrames() {
    for (Sample sample : GoldenFrames.all()) {
      if (layoutIsFixed(sample.kind())) {
        byte[] frame = appended(sample);
        putU16(frame, VERSION_AT, NEWER);
        assertMalformed(frame, "block length: expected ");
      }
    }
  }

  @Test
  void shouldRejectABlockThatReachesBeyondTheFrame() {
    for (Sample sample : GoldenFrames.all()) {
      byte[] frame = SbeBytes.encode(sample.call());
      putU16(frame, BLOCK_LENGTH_AT, 0xFFFF);
      putU16(frame, VERSION_AT, NEWER);
      assertMalformed(frame, "expected ");
    }
  }

  @Test
  void shouldRejectTextsLongerThanAllowed() {
    byte[] more = new byte[WireLimits.MAX_TEXT_BYTES + 1];
    byte[] reset = SbeBytes.encode(f -> f.reset(1, ErrorCode.INTERNAL, ""));
    int resetText = SbeBytes.BLOCK + ResetEncoder.BLOCK_LENGTH;
    putU16(reset, resetText, more.length);
    assertMalformed(
        SbeBytes.inserted(reset, reset.length, more), "text length: expected at most 512, got 513");

    byte[] goAway = SbeBytes.encode(f -> f.goAway(ErrorCode.INTERNAL, "", false));
    putU16(goAway, SbeBytes.BLOCK + GoAwayEncoder.BLOCK_LENGTH, more.length);
    assertMalformed(
        SbeBytes.inserted(goAway, goAway.length, more),
        "text length: expected at most 512, got 513");

    byte[] hello = SbeBytes.encode(GoldenFrames.all().get(0).call());
    putU16(hello, SbeBytes.BLOCK + HelloEncoder.BLOCK_LENGTH, 256);
    assertMalformed(
        SbeBytes.inserted(hello, hello.length, new byte[250]),
        "nodeName length: expected at most 255, got 256");

    byte[] proof = SbeBytes.encode(f -> f.proof(Octets.EMPTY));
    proof[SbeBytes.BLOCK + ProofEncoder.BLOCK_LENGTH] = 33;
    assertMalformed(
        SbeBytes.inserted(proof, proof.length, new byte[33]),
        "proof length: expected at most 32, got 33");
  }

  @Test
  void shouldRejectATextThatReachesBeyondTheFrame() {
    byte[] reset = SbeBytes.encode(f -> f.reset(1, ErrorCode.INTERNAL, "abc"));
    putU16(reset, SbeBytes.BLOCK + ResetEncoder.BLOCK_LENGTH, 4);
    assertMalformed(reset, "RESET frame length: expected " + (reset.length + 1));
  }

  @Test
  void shouldRejectATextThatIsNotUtf8() {
    byte[] reset = SbeBytes.encode(f -> f.reset(1, ErrorCode.INTERNAL, "abc"));
    reset[reset.length - 1] = (byte) 0xFF;
    assertMalformed(reset, "text: expected UTF-8");
  }

  @Test
  void shouldRejectValuesOutOfRange() {
    byte[] open = SbeBytes.encode(f -> f.open(1, Role.SENDER, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    open[SbeBytes.BLOCK + OpenEncoder.roleEncodingOffset()] = 2;
    assertMalformed(open, "OPEN role: expected 0 or 1, got 2");

    byte[] opened = SbeBytes.encode(f -> f.opened(1, Role.SENDER, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    opened[SbeBytes.BLOCK + OpenedEncoder.roleEncodingOffset()] = -1;
    assertMalformed(opened, "OPENED role: expected 0 or 1, got 255");

    byte[] ready = SbeBytes.encode(f -> f.ready(1, false));
    ready[SbeBytes.BLOCK + ReadyEncoder.drainingEncodingOffset()] = 2;
    assertMalformed(ready, "READY draining: expected 0 or 1, got 2");

    byte[] goAway = SbeBytes.encode(f -> f.goAway(ErrorCode.INTERNAL, "", true));
    goAway[SbeBytes.BLOCK + GoAwayEncoder.drainingEncodingOffset()] = 3;
    assertMalformed(goAway, "GOAWAY draining: expected 0 or 1, got 3");

    Sample someWelcome =
        GoldenFrames.all().stream()
            .filter(s -> s.kind() == FrameKind.WELCOME)
            .findFirst()
            .orElseThrow();
    byte[] welcome = SbeBytes.encode(someWelcome.call());
    welcome[SbeBytes.BLOCK + WelcomeEncoder.resumedEncodingOffset()] = 7;
    assertMalformed(welcome, "WELCOME resumed: expected 0 or 1, got 7");

    byte[] data = SbeBytes.encode(f -> f.data(1, 0, 0, 0, 0, 0, 0, 0, 0));
    data[SbeBytes.BLOCK + DataEncoder.flagsEncodingOffset()] = 8;
    assertMalformed(data, "DATA flags: expected only bits of 7, got 8");
  }

  @Test
  void shouldRejectAPayloadLengthThatIsNotTheRestOfTheFrame() {
    byte[] header = SbeBytes.encode(f -> f.data(1, 0, 0, 1, 0, 10, 0, 10, 0));
    for (int payload : new int[] {0, 9, 11}) {
      byte[] frame = SbeBytes.inserted(header, header.length, new byte[payload]);
      assertMalformed(frame, "DATA payloadLength: expected " + payload + ", got 10");
    }
    byte[] huge = SbeBytes.inserted(header, header.length, new byte[10]);
    SbeBytes.littleEndian(huge)
        .putInt(SbeBytes.BLOCK + DataEncoder.payloadLengthEncodingOffset(), -1);
    assertMalformed(huge, "DATA payloadLength: expected 10, got 4294967295");
  }

  @Test
  void shouldReadAnErrorCodeOfANewerPeerAsInternal() throws Exception {
    CanonicalFields canonical = new CanonicalFields();
    byte[] reset = SbeBytes.encode(f -> f.reset(1, ErrorCode.INTERNAL, "new"));
    putU16(reset, SbeBytes.BLOCK + ResetEncoder.codeEncodingOffset(), 999);
    canonical.reset(1, 999, "new");
    SbeBytes.littleEndian(reset).putInt(SbeBytes.BLOCK, canonical.crc());
    assertThat(SbeBytes.decode(reset).arguments()).containsExactly(1, ErrorCode.INTERNAL, "new");

    byte[] goAway = SbeBytes.encode(f -> f.goAway(ErrorCode.INTERNAL, "new", true));
    putU16(goAway, SbeBytes.BLOCK + GoAwayEncoder.codeEncodingOffset(), 0xFFFF);
    canonical.goAway(0xFFFF, "new", true);
    SbeBytes.littleEndian(goAway).putInt(SbeBytes.BLOCK, canonical.crc());
    assertThat(SbeBytes.decode(goAway).arguments())
        .containsExactly(ErrorCode.INTERNAL, "new", true);
  }

  @Test
  void shouldNameBothChecksumsWhenTheyDiffer() {
    byte[] ping = SbeBytes.encode(f -> f.ping(1));
    CanonicalFields canonical = new CanonicalFields();
    canonical.ping(1);
    int stated = ~canonical.crc();
    SbeBytes.littleEndian(ping).putInt(SbeBytes.BLOCK, stated);
    assertMalformed(
        ping,
        "PING field CRC: expected %s, got %s"
            .formatted(
                Integer.toUnsignedString(stated), Integer.toUnsignedString(canonical.crc())));
  }

  @Test
  void shouldRefuseToLookBeyondTheBuffer() {
    byte[] ping = SbeBytes.encode(f -> f.ping(1));
    ByteBuffer source = ByteBuffer.wrap(Arrays.copyOf(ping, 100)).limit(ping.length - 1);
    assertThatThrownBy(
            () -> new SbeFrameDecoder().decode(source, 0, ping.length, new RecordingFrames()))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(
            () -> new SbeFrameDecoder().decode(source, -1, ping.length, new RecordingFrames()))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static boolean layoutIsFixed(int kind) {
    return kind <= FrameKind.PROOF || kind == FrameKind.GOAWAY;
  }

  /** The frame with three bytes more in the block, and a payload if it announces one. */
  private static byte[] appended(Sample sample) {
    byte[] header = SbeBytes.encode(sample.call());
    byte[] frame = SbeBytes.inserted(header, header.length, new byte[sample.payloadLength()]);
    int block = u16(frame, BLOCK_LENGTH_AT);
    byte[] longer = SbeBytes.inserted(frame, SbeBytes.BLOCK + block, (byte) 1, (byte) 2, (byte) 3);
    putU16(longer, BLOCK_LENGTH_AT, block + 3);
    return longer;
  }

  private static void assertMalformed(byte[] frame, String message) {
    RecordingFrames recording = new RecordingFrames();
    for (ByteBuffer source :
        new ByteBuffer[] {ByteBuffer.wrap(frame), ByteBuffer.allocateDirect(frame.length)}) {
      if (source.isDirect()) {
        source.put(0, frame);
      }
      assertThatThrownBy(() -> new SbeFrameDecoder().decode(source, 0, frame.length, recording))
          .isInstanceOf(MalformedFrameException.class)
          .hasMessageContaining(message);
    }
    assertThat(recording.calls()).isEmpty();
  }

  private static int u16(byte[] frame, int at) {
    return Short.toUnsignedInt(SbeBytes.littleEndian(frame).getShort(at));
  }

  private static void putU16(byte[] frame, int at, int value) {
    SbeBytes.littleEndian(frame).putShort(at, (short) value);
  }
}

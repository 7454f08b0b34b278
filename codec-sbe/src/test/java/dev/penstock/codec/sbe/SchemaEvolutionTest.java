package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.codec.sbe.next.CreditDecoder;
import dev.penstock.codec.sbe.next.CreditEncoder;
import dev.penstock.codec.sbe.next.DataEncoder;
import dev.penstock.codec.sbe.next.HelloEncoder;
import dev.penstock.codec.sbe.next.MessageHeaderDecoder;
import dev.penstock.codec.sbe.next.MessageHeaderEncoder;
import dev.penstock.codec.sbe.next.ResetEncoder;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.testkit.GoldenFrames;
import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.Sofh;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Today's codec and one of a version to come, whose flyweights are generated for this test. */
class SchemaEvolutionTest {
  private final byte[] bytes = new byte[200];
  private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
  private final MessageHeaderEncoder header = new MessageHeaderEncoder();
  private final CanonicalFields canonical = new CanonicalFields();

  @Test
  void shouldUnderstandAGrownFrameOfANewerPeer() throws Exception {
    canonical.credit(7, 100, 40, 4136);
    CreditEncoder credit = new CreditEncoder();
    credit.wrapAndApplyHeader(buffer, Sofh.LENGTH, header);
    credit
        .fieldCrc(canonical.crc())
        .channel(7)
        .received(100)
        .consumed(40)
        .creditLimit(4136)
        .appendedShort(1)
        .appendedLong(-1);
    assertThat(SbeBytes.decode(frame(credit.limit(), 0)).arguments())
        .containsExactly(7, 100L, 40L, 4136L);
  }

  @Test
  void shouldUnderstandAGrownFrameWithText() throws Exception {
    canonical.reset(7, ErrorCode.FENCED, "newer attempt");
    ResetEncoder reset = new ResetEncoder();
    reset.wrapAndApplyHeader(buffer, Sofh.LENGTH, header);
    reset
        .fieldCrc(canonical.crc())
        .channel(7)
        .code(ErrorCode.FENCED.number())
        .appendedShort(0xFFFF)
        .appendedLong(2)
        .text("newer attempt");
    assertThat(SbeBytes.decode(frame(reset.limit(), 0)).arguments())
        .containsExactly(7, ErrorCode.FENCED, "newer attempt");
  }

  @Test
  void shouldFindThePayloadBehindAGrownBlock() throws Exception {
    canonical.data(7, 1000, 10, 2, 0, 20, 0, 20, 0x1234);
    DataEncoder data = new DataEncoder();
    data.wrapAndApplyHeader(buffer, Sofh.LENGTH, header);
    data.fieldCrc(canonical.crc())
        .channel(7)
        .position(1000)
        .sequence(10)
        .messages(2)
        .flags((short) 0)
        .uncompressedLength(20)
        .backlog(0)
        .payloadLength(20)
        .payloadCrc(0x1234)
        .appendedShort(3)
        .appendedLong(4);
    assertThat(SbeBytes.decode(frame(data.limit(), 20)).arguments())
        .containsExactly(7, 1000L, 10L, 2, 0, 20, 0L, 20, 0x1234);
  }

  @Test
  void shouldUnderstandTheHelloOfANewerPeer() throws Exception {
    // The layout never changes; only the version in the header differs.
    byte[] hello = SbeBytes.encode(GoldenFrames.all().get(0).call());
    assertThat(HelloEncoder.BLOCK_LENGTH)
        .isEqualTo(dev.penstock.codec.sbe.generated.HelloEncoder.BLOCK_LENGTH);
    System.arraycopy(hello, 0, bytes, 0, hello.length);
    header.wrap(buffer, Sofh.LENGTH).version(MessageHeaderEncoder.SCHEMA_VERSION);
    assertThat(SbeBytes.decode(Arrays.copyOf(bytes, hello.length)))
        .isEqualTo(GoldenFrames.all().get(0).recorded());
  }

  @Test
  void shouldBeUnderstoodByANewerPeer() {
    byte[] today = SbeBytes.encode(f -> f.credit(7, 100, 40, 4136));
    CreditDecoder credit = new CreditDecoder();
    credit.wrapAndApplyHeader(new UnsafeBuffer(today), Sofh.LENGTH, new MessageHeaderDecoder());
    assertThat(credit.creditLimit()).isEqualTo(4136);
    assertThat(credit.appendedShort()).isEqualTo(CreditDecoder.appendedShortNullValue());
    assertThat(credit.appendedLong()).isEqualTo(CreditDecoder.appendedLongNullValue());
  }

  private byte[] frame(int end, int payloadLength) {
    byte[] frame = Arrays.copyOf(bytes, end + payloadLength);
    Sofh.put(ByteBuffer.wrap(frame), 0, frame.length, SbeWireCodec.ENCODING_TYPE);
    return frame;
  }
}

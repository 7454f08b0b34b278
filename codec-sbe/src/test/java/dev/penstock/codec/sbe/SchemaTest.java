package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.codec.sbe.SbeSchema.Field;
import dev.penstock.codec.sbe.SbeSchema.Message;
import dev.penstock.codec.sbe.SbeSchema.Variable;
import dev.penstock.transport.testkit.GoldenVectors.Vector;
import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.FrameKind;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private static final String[] RELEASED = {"/schemas/penstock-sbe-v1.xml"};

  private final SbeSchema schema = SbeSchema.current();

  @Test
  void shouldNumberTemplatesAsFrameKindDoes() {
    Map<String, Integer> kinds =
        Arrays.stream(FrameKind.class.getFields())
            .filter(field -> Modifier.isStatic(field.getModifiers()))
            .collect(Collectors.toMap(field -> field.getName(), SchemaTest::value));
    Map<String, Integer> templates =
        schema.messages().stream().collect(Collectors.toMap(Message::constant, Message::template));
    assertThat(templates).isEqualTo(kinds);
  }

  @Test
  void shouldStartEveryBlockWithTheFieldCrc() {
    for (Message message : schema.messages()) {
      Field first = message.fields().get(0);
      assertThat(first.name()).isEqualTo("fieldCrc");
      assertThat(first.wire()).isEqualTo("uint32");
      assertThat(first.offset()).isZero();
    }
  }

  @Test
  void shouldOnlyHaveAppendedToReleasedSchemas() {
    for (String resource : RELEASED) {
      SbeSchema released = SbeSchema.read(resource);
      assertThat(schema.id()).isEqualTo(released.id());
      assertThat(schema.order()).isEqualTo(released.order());
      assertThat(schema.version()).isGreaterThanOrEqualTo(released.version());
      for (Message before : released.messages()) {
        Message now = schema.message(before.name());
        assertThat(now.template()).isEqualTo(before.template());
        assertThat(now.variables()).isEqualTo(before.variables());
        int kept = before.fields().size();
        assertThat(now.fields().subList(0, kept)).isEqualTo(before.fields());
        for (Field appended : now.fields().subList(kept, now.fields().size())) {
          assertThat(appended.since()).as(appended.name()).isGreaterThan(released.version());
        }
      }
      if (schema.version() == released.version()) {
        assertThat(schema).isEqualTo(released);
      }
    }
    assertThat(RELEASED).as("one file per version").hasSize(schema.version());
  }

  @Test
  void shouldHoldTheGoldenValuesWhereTheSchemaSays() {
    CanonicalFields canonical = new CanonicalFields();
    for (Vector vector : GoldenFramesTest.vectors()) {
      vector.send(canonical);
      assertThat(canonicalFrom(vector.bytes()))
          .as(vector.line())
          .isEqualTo(canonical.toByteArray());
      assertThat(SbeBytes.littleEndian(vector.bytes()).getInt(SbeBytes.BLOCK))
          .isEqualTo(canonical.crc());
    }
  }

  /** Gathers a frame's canonical bytes with nothing but the schema's table. */
  private byte[] canonicalFrom(byte[] frame) {
    ByteBuffer in = ByteBuffer.wrap(frame).order(schema.order());
    int blockLength = in.getShort(SbeBytes.HEADER);
    Message message = schema.message(in.getShort(SbeBytes.HEADER + 2));
    assertThat(blockLength).isEqualTo(message.blockLength());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream last = new ByteArrayOutputStream();
    out.write(message.template());
    for (Field field : message.fields().subList(1, message.fields().size())) {
      // Canonically, GOAWAY's text stands in front of its last field.
      boolean behindText = message.constant().equals("GOAWAY") && field.name().equals("draining");
      ByteArrayOutputStream to = behindText ? last : out;
      if (field.type().equals("nonce")) {
        putU16(to, field.length());
      }
      to.write(frame, SbeBytes.BLOCK + field.offset(), field.length());
    }
    int at = SbeBytes.BLOCK + blockLength;
    for (Variable variable : message.variables()) {
      int length = variable.lengthBytes() == 1 ? frame[at] : in.getShort(at);
      putU16(out, length);
      out.write(frame, at + variable.lengthBytes(), length);
      at += variable.lengthBytes() + length;
    }
    out.writeBytes(last.toByteArray());
    return out.toByteArray();
  }

  private static void putU16(ByteArrayOutputStream out, int value) {
    ByteBuffer two = ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN);
    out.writeBytes(two.putShort((short) value).array());
  }

  private static int value(java.lang.reflect.Field field) {
    try {
      return field.getInt(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}

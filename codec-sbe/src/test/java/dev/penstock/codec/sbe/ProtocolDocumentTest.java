package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.codec.sbe.SbeSchema.Field;
import dev.penstock.codec.sbe.SbeSchema.Message;
import dev.penstock.codec.sbe.SbeSchema.Variable;
import dev.penstock.transport.testkit.GoldenFile;
import dev.penstock.transport.wire.FrameKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The specification's field tables are those of the schema. */
class ProtocolDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/protocol.md");
  private static final String BEGIN = "<!-- Written from the schema by ProtocolDocumentTest. -->\n";
  private static final String END = "<!-- End of what is written from the schema. -->\n";

  @Test
  void shouldListTheFieldsOfTheSchema() throws IOException {
    String document = Files.readString(DOCUMENT);
    int begin = document.indexOf(BEGIN) + BEGIN.length();
    int end = document.indexOf(END);
    assertThat(end).as("the marks around the tables").isGreaterThanOrEqualTo(begin);
    String tables = tables(SbeSchema.current());
    GoldenFile.writeIfAsked(
        DOCUMENT, document.substring(0, begin) + tables + document.substring(end));
    assertThat(document.substring(begin, end)).isEqualTo(tables);
  }

  @Test
  void shouldNameTheNumbersOfTheSchema() throws IOException {
    SbeSchema schema = SbeSchema.current();
    assertThat(Files.readString(DOCUMENT))
        .contains("schema id %d".formatted(schema.id()))
        .contains("schema version %d".formatted(schema.version()))
        .contains("encoding type `0x%X`".formatted(SbeWireCodec.ENCODING_TYPE));
  }

  private static String tables(SbeSchema schema) {
    StringBuilder text = new StringBuilder();
    schema.messages().forEach(message -> append(text, message));
    return text.append('\n').toString();
  }

  private static void append(StringBuilder text, Message message) {
    int least = SbeBytes.BLOCK + message.blockLength();
    long most = least;
    for (Variable variable : message.variables()) {
      least += variable.lengthBytes();
      most += variable.lengthBytes() + mostBytes(variable);
    }
    String size = least == most ? least + " bytes" : least + " to " + most + " bytes";
    text.append("\n### ").append(message.constant()).append("\n\n");
    text.append(message.description()).append(".\n\n");
    text.append("Template ").append(message.template());
    text.append(", block of ").append(message.blockLength()).append(" bytes, frame of ");
    text.append(size).append(message.template() == FrameKind.DATA ? " and the payload" : "");
    text.append(".\n\n| offset | field | type | meaning |\n| ---: | --- | --- | --- |\n");
    for (Field field : message.fields()) {
      row(text, Integer.toString(field.offset()), field.name(), type(field), field.description());
    }
    for (Variable variable : message.variables()) {
      String type = (variable.text() ? "text" : "octets") + ", u" + variable.lengthBytes() * 8;
      row(text, "then", variable.name(), type, variable.description());
    }
  }

  /** A node's name is shorter than the other texts that share its type. */
  private static long mostBytes(Variable variable) {
    return variable.name().equals("nodeName") ? 255 : variable.maxLength();
  }

  private static String type(Field field) {
    int bits =
        switch (field.wire()) {
          case "uint8" -> 8;
          case "uint16" -> 16;
          case "uint32" -> 32;
          default -> 64;
        };
    int count = field.length() * Byte.SIZE / bits;
    return "u" + bits + (count == 1 ? "" : "[" + count + "]");
  }

  private static void row(
      StringBuilder text, String offset, String name, String type, String meaning) {
    text.append("| ").append(offset).append(" | `").append(name).append("` | ").append(type);
    text.append(" | ").append(meaning).append(" |\n");
  }
}

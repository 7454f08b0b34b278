package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.wire.WireLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The specification's numbers and error codes are those of the code. */
class ProtocolListsTest {
  private static final Path DOCUMENT = Path.of("../docs/protocol.md");

  /** The cells of the rows of a chapter's only table. */
  private static List<List<String>> rows(String chapter) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    boolean inside = false;
    boolean body = false;
    for (String line : Files.readAllLines(DOCUMENT)) {
      if (line.startsWith("## ")) {
        inside = line.equals("## " + chapter);
      } else if (inside && line.startsWith("| ---")) {
        body = true;
      } else if (inside && body && line.startsWith("|")) {
        List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        rows.add(cells.subList(1, cells.size() - 1));
      }
    }
    return rows;
  }

  @Test
  void shouldListEveryErrorCodeAsItIs() throws IOException {
    List<List<String>> expected = new ArrayList<>();
    for (ErrorCode code : ErrorCode.values()) {
      expected.add(
          List.of(
              Integer.toString(code.number()),
              "`" + code + "`",
              code.scope().name().toLowerCase(Locale.ROOT),
              code.retryable() ? "yes" : "no",
              code.outcomeKnown() ? "yes" : "no"));
    }
    assertThat(rows("Error codes")).extracting(row -> row.subList(0, 5)).isEqualTo(expected);
  }

  @Test
  void shouldListTheNumbersThatTheCodeUses() throws Exception {
    Map<String, Long> listed = new LinkedHashMap<>();
    for (List<String> row : rows("Numbers")) {
      listed.put(row.get(0), Long.valueOf(row.get(1).replace(",", "")));
    }
    assertThat(listed).containsExactlyEntriesOf(numbers());
  }

  private static Map<String, Long> numbers() throws ReflectiveOperationException {
    Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put("protocol version", (long) HandshakeConfig.VERSION);
    numbers.put("bytes that a side may say before trust", (long) WireLimits.MAX_HANDSHAKE_BYTES);
    numbers.put(
        "bytes of every frame without payload, at most", (long) WireLimits.MAX_HEADER_BYTES);
    numbers.put("bytes of a nonce", (long) WireLimits.NONCE_BYTES);
    numbers.put("bytes of a proof", (long) WireLimits.PROOF_BYTES);
    numbers.put("bytes of a node's name", (long) WireLimits.MAX_NAME_BYTES);
    numbers.put("bytes of the text of RESET and GOAWAY", (long) WireLimits.MAX_TEXT_BYTES);
    numbers.put("bytes of a shared secret, at least", (long) SharedSecret.MIN_BYTES);
    numbers.put(
        "longest frame that every node takes, bytes", (long) HandshakeConfig.MIN_FRAME_LENGTH);
    numbers.put("longest frame that can be agreed, bytes", (long) HandshakeConfig.MAX_FRAME_LENGTH);
    numbers.put("shortest heartbeat obeyed, ms", (long) HandshakeConfig.MIN_HEARTBEAT_MILLIS);
    numbers.put("longest heartbeat obeyed, ms", (long) HandshakeConfig.MAX_HEARTBEAT_MILLIS);
    numbers.put("smallest floor that Penstock grants, bytes", (long) CreditBudget.MIN_FLOOR);
    numbers.put(
        "resumes without progress that end a session", (long) ResumePolicy.MAX_BARREN_RESUMES);
    numbers.put("first back-off, ms", hidden(LaneLife.class, "FIRST_BACKOFF") / 1_000_000);
    numbers.put("longest back-off, ms", hidden(LaneLife.class, "MAX_BACKOFF") / 1_000_000);
    numbers.put(
        "heartbeats of the peer that may be missed", hidden(LaneLife.class, "MISSED_HEARTBEATS"));
    numbers.put(
        "first channel number that is not used",
        Integer.toUnsignedLong((int) hidden(ChannelNumbers.class, "LAST")));
    numbers.put("spare channels not confirmed", hidden(PeerChannels.class, "SPARE"));
    numbers.put("CLOSED owed at once", hidden(ClosedAnswers.class, "MAX"));
    numbers.put("bytes of an event", (long) OutputGate.MAX_EVENT_BYTES);
    return numbers;
  }

  private static long hidden(Class<?> type, String constant) throws ReflectiveOperationException {
    var field = type.getDeclaredField(constant);
    field.setAccessible(true);
    return ((Number) field.get(null)).longValue();
  }
}

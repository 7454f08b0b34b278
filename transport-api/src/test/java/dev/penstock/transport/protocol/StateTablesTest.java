package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The specification's state tables are what the machines do. */
class StateTablesTest {
  private static final Path DOCUMENT = Path.of("../docs/protocol.md");

  @Test
  void shouldTellWhatALaneDoes() throws IOException {
    check("lane", LaneTables.lane());
  }

  @Test
  void shouldTellWhatASenderDoes() throws IOException {
    check("sender", ChannelTables.sender());
  }

  @Test
  void shouldTellWhatAReceiverDoes() throws IOException {
    check("receiver", ChannelTables.receiver());
  }

  @Test
  void shouldTellWhatAChannelWithoutAGateDoes() throws IOException {
    check("waiting", ChannelTables.waiting());
  }

  @Test
  void shouldTellWhatADialerAnswers() throws IOException {
    check("dialer", HandshakeTables.dialer());
  }

  @Test
  void shouldTellWhatAnAcceptorAnswers() throws IOException {
    check("acceptor", HandshakeTables.acceptor());
  }

  private static void check(String machine, String table) throws IOException {
    String document = Files.readString(DOCUMENT);
    String mark = "<!-- Written from the " + machine + " by StateTablesTest. -->\n\n";
    assertThat(document).contains(mark);
    int begin = document.indexOf(mark) + mark.length();
    int end = document.indexOf("\n<!-- End of the " + machine + ". -->", begin);
    assertThat(end).as("the mark behind the table of the " + machine).isPositive();
    GoldenFile.writeIfAsked(
        DOCUMENT, document.substring(0, begin) + table + document.substring(end));
    assertThat(document.substring(begin, end)).isEqualTo(table);
  }
}

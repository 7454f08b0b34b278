package dev.penstock.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordsTest {
  @TempDir private Path directory;

  private static List<String> lines(Records records) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < records.count(); i++) {
      lines.add(new String(records.text(), records.start(i), records.length(i), UTF_8));
    }
    return lines;
  }

  private String file(String text) throws IOException {
    return Files.writeString(directory.resolve("input.txt"), text).toString();
  }

  @Test
  void shouldDealEveryFlightOfTheSampleOutOnceAndSendEachOriginToOneConsumer() throws IOException {
    List<Records> shares = Records.load("", 4, 4);
    Set<Integer> used = new HashSet<>();
    Map<String, Integer> consumerOf = new HashMap<>();
    int count = 0;
    for (Records share : shares) {
      List<String> lines = lines(share);
      count += lines.size();
      for (int i = 0; i < lines.size(); i++) {
        String origin = lines.get(i).split(",", -1)[3];
        assertThat(origin).matches("[A-Z0-9]{3}");
        used.add(share.consumer(i));
        assertThat(consumerOf.merge(origin, share.consumer(i), (old, now) -> old))
            .isEqualTo(share.consumer(i));
      }
    }
    assertThat(count).isEqualTo(20_000);
    assertThat(used).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  @Test
  void shouldTakeAnyTextFileLineByLine() throws IOException {
    List<Records> shares = Records.load(file("one\r\ntwo\n\nfour, with comma\nfünf"), 2, 3);
    assertThat(lines(shares.get(0))).containsExactly("one", "", "fünf");
    assertThat(lines(shares.get(1))).containsExactly("two", "four, with comma");
  }

  @Test
  void shouldGiveEveryProducerSomethingWhenThereAreFewLines() throws IOException {
    for (Records share : Records.load(file("only\n"), 4, 4)) {
      assertThat(lines(share)).containsExactly("only");
    }
  }

  @Test
  void shouldRefuseAnEmptyFile() throws IOException {
    String empty = file("");
    assertThatThrownBy(() -> Records.load(empty, 4, 4))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at least one line");
  }
}

package dev.penstock.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.TransportOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of docs/embedding.md against the classes that they are about, and its snippets. */
class EmbeddingDocTest {
  private static final Path DOC = Path.of("..", "docs", "embedding.md");

  /** Defaults that depend on the machine or are not numbers. */
  private static final Set<String> IN_WORDS =
      Set.of(
          "nodeName",
          "codec",
          "sharedSecret",
          "tls",
          "ioKind",
          "eventLoops",
          "lanes",
          "payloadCrc",
          "listener");

  /** Rows of the table behind a headline, by the name in their first cell. */
  private static Map<String, List<String>> table(String headline) throws IOException {
    Map<String, List<String>> rows = new HashMap<>();
    boolean inside = false;
    for (String line : Files.readAllLines(DOC)) {
      if (line.startsWith("## ")) {
        inside = line.equals("## " + headline);
      } else if (inside && line.startsWith("| `")) {
        List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        rows.put(cells.get(1).replace("`", ""), cells.subList(2, cells.size() - 1));
      }
    }
    return rows;
  }

  @Test
  void shouldListEveryOptionWithItsDefault() throws Exception {
    Map<String, List<String>> rows = table("Options");
    TransportOptions defaults = TransportOptions.defaults();
    List<String> options = new ArrayList<>();
    for (Method setter : TransportOptions.Builder.class.getDeclaredMethods()) {
      if (setter.getParameterCount() == 1 && !setter.isSynthetic()) {
        String option = setter.getName();
        options.add(option);
        if (rows.containsKey(option) && !IN_WORDS.contains(option)) {
          Object value = TransportOptions.class.getMethod(option).invoke(defaults);
          assertThat(rows.get(option).get(0)).as(option).isEqualTo(text(value));
        }
      }
    }
    assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(options);
  }

  @Test
  void shouldShowCodeThatTheBuildCompiles() throws IOException {
    String sources;
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(EmbeddingDocTest::withoutIndentation)
              .collect(Collectors.joining("\n"));
    }
    String[] parts = Files.readString(DOC).split("```java\n", -1);
    assertThat(parts).hasSizeGreaterThan(3);
    for (int i = 1; i < parts.length; i++) {
      String snippet = parts[i].substring(0, parts[i].indexOf("```"));
      assertThat(sources).contains(snippet.indent(-80).stripTrailing() + "\n");
    }
  }

  private static String withoutIndentation(Path file) {
    try {
      return Files.readString(file).indent(-80);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Object value) {
    if (value instanceof Duration duration) {
      return duration.isZero() ? "0" : duration.toSeconds() + " s";
    }
    long number = ((Number) value).longValue();
    if (number % (1 << 20) == 0) {
      return number / (1 << 20) + " MiB";
    }
    if (number % (1 << 10) == 0) {
      return number / (1 << 10) + " KiB";
    }
    return String.format(Locale.ROOT, "%,d", number);
  }

  @Test
  void shouldListEveryErrorCodeAsItIs() throws IOException {
    Map<String, List<String>> rows = table("When something fails");
    for (ErrorCode code : ErrorCode.values()) {
      List<String> row = rows.getOrDefault(code.name(), List.of());
      assertThat(row.stream().limit(3))
          .as(code.name())
          .containsExactly(
              code.scope().name().toLowerCase(Locale.ROOT),
              code.retryable() ? "yes" : "no",
              code.outcomeKnown() ? "yes" : "no");
    }
    assertThat(rows.keySet())
        .isEqualTo(Arrays.stream(ErrorCode.values()).map(Enum::name).collect(Collectors.toSet()));
  }
}

package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/faults.md names tests: each is there and runs. */
class FaultsDocumentTest {
  private static final Path ROOT = Path.of("..");
  private static final String ADAPTER = "spark-adapter";
  private static final int FAULTS = 26;

  /** What an engine can get wrong above the best transport. */
  private static final List<Integer> ENGINES = List.of(11, 13, 18, 24, 26);

  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\|.*\\|$");
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
  private static final Pattern ANNOTATION =
      Pattern.compile("@(Test|ParameterizedTest|FuzzTest|Property)\\b");
  private static final Map<String, String> SOURCES = new HashMap<>();
  private static final Set<String> OF_ADAPTER = new HashSet<>();
  private static String document;

  @BeforeAll
  static void read() throws IOException {
    document = Files.readString(ROOT.resolve("docs/faults.md"));
    for (String module : List.of("transport-api", "codec-sbe", "transport-netty", ADAPTER)) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        for (Path file : (Iterable<Path>) files.filter(FaultsDocumentTest::isTest)::iterator) {
          String name = file.getFileName().toString();
          String type = name.substring(0, name.length() - ".java".length());
          SOURCES.put(type, Files.readString(file));
          if (module.equals(ADAPTER)) {
            OF_ADAPTER.add(type);
          }
        }
      }
    }
  }

  private static boolean isTest(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.endsWith(".java") && !path.contains("/src/main/");
  }

  @Test
  void shouldHaveARowForEachFault() {
    List<Integer> numbers =
        ROW.matcher(document).results().map(row -> Integer.valueOf(row.group(1))).toList();
    assertThat(numbers)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, FAULTS).boxed().toList());
  }

  @Test
  void shouldNameATestInEachRow() {
    List<String> bare =
        ROW.matcher(document)
            .results()
            .map(MatchResult::group)
            .filter(row -> !TEST.matcher(row).find())
            .toList();
    assertThat(bare).isEmpty();
  }

  @Test
  void shouldNameATestOfTheSparkAdapterWhereAnEngineCanGetItWrong() {
    List<Integer> named =
        ROW.matcher(document)
            .results()
            .filter(
                row ->
                    TEST.matcher(row.group())
                        .results()
                        .anyMatch(test -> OF_ADAPTER.contains(test.group(1))))
            .map(row -> Integer.valueOf(row.group(1)))
            .toList();
    assertThat(named).containsAll(ENGINES);
  }

  @Test
  void shouldNameTestsThatRun() {
    List<String> missing = new ArrayList<>();
    TEST.matcher(document)
        .results()
        .filter(test -> !runs(test.group(1), test.group(2)))
        .forEach(test -> missing.add(test.group()));
    assertThat(missing).isEmpty();
  }

  /** Whether a class has a test method, and it or a class that extends it is no abstract one. */
  private static boolean runs(String type, String method) {
    String source = SOURCES.get(type);
    if (source == null || !isTestMethod(source, method)) {
      return false;
    }
    return !source.contains("abstract class " + type)
        || SOURCES.values().stream()
            .anyMatch(
                other ->
                    Pattern.compile("(?m)^(final )?class \\w+ extends " + type + "\\b")
                        .matcher(other)
                        .find());
  }

  private static boolean isTestMethod(String source, String method) {
    int at = source.indexOf("void " + method + "(");
    int from = source.lastIndexOf("\n\n", at);
    return at >= 0 && ANNOTATION.matcher(source.substring(from, at)).find();
  }
}

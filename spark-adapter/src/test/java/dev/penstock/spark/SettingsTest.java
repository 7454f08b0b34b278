package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static SparkConf conf(String... pairs) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    return conf;
  }

  @Test
  void shouldDocumentEverySettingWithItsDefault() throws Exception {
    Pattern row = Pattern.compile("\\| `(spark\\.penstock\\.[a-z.]+)` \\| `([^`]+)` \\|.*");
    Map<String, String> documented = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of("../docs/spark.md"))) {
      Matcher matcher = row.matcher(line);
      if (matcher.matches()) {
        documented.put(matcher.group(1), matcher.group(2));
      }
    }
    assertThat(documented).containsExactlyEntriesOf(Settings.DEFAULTS);
  }

  @Test
  void shouldAcceptItsOwnDefaults() {
    Settings settings = Settings.of(conf());

    assertThat(settings.mode()).isEqualTo(Mode.STREAMING);
    assertThat(settings.writerBytes()).isEqualTo(4 << 20);
    assertThat(settings.readersMillis()).isEqualTo(60_000);
  }

  @ParameterizedTest
  @CsvSource({
    "spark.penstock.mode, on, 'off, streaming or all'",
    "spark.penstock.port, 70000, 0 to 65535",
    "spark.penstock.port, many, a whole number",
    "spark.penstock.writer.memory, 1k, 65536",
    "spark.penstock.writer.memory, lots, a size such as",
    "spark.penstock.flush.interval, soon, a time such as",
    "spark.penstock.generations.max, 0, 1 to",
    "spark.penstock.message.limit, 2m, a quarter",
    "spark.penstock.batch.size, 1m, must not exceed",
    "spark.penstock.tls.hostnames, yes, 'true, false'",
    "spark.penstock.compression.codec, gzip, 'none, lz4, zstd'",
  })
  void shouldRefuseBadValuesAndNameTheSetting(String key, String value, String expected) {
    assertThatThrownBy(() -> Settings.of(conf(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(expected);
  }

  @Test
  void shouldNameUnknownKeys() {
    assertThat(Settings.unknown(conf("spark.penstock.mod", "all", "spark.penstock.mode", "all")))
        .containsExactly("spark.penstock.mod");
  }

  @Test
  void shouldRefuseEncryptionThatItDoesNotSpeak() {
    assertThatThrownBy(() -> Nodes.checkSecurity(conf("spark.network.crypto.enabled", "true")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spark.network.crypto.enabled")
        .hasMessageContaining("spark.ssl.rpc");
    Nodes.checkSecurity(
        conf("spark.network.crypto.enabled", "true", "spark.ssl.rpc.enabled", "true"));
  }
}

package dev.penstock.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.repeat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

@Timeout(180)
class CompressionTest {
  private static Compression codec(String name) {
    return Compression.of(new SparkConf(false), name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lz4", "zstd"})
  void shouldGiveBackWhatItPacked(String name) {
    byte[] text =
        "again and again ".repeat(5_000).getBytes(java.nio.charset.StandardCharsets.UTF_8);

    byte[] packed = codec(name).pack(text, 16, text.length - 32);

    assertThat(packed).hasSizeLessThan(text.length / 4);
    byte[] padded = new byte[packed.length + 9];
    System.arraycopy(packed, 0, padded, 4, packed.length);
    assertThat(codec(name).unpack(padded, 4, packed.length))
        .isEqualTo(java.util.Arrays.copyOfRange(text, 16, text.length - 16));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lz4", "zstd"})
  void shouldLeaveWhatGetsNoShorter(String name) {
    byte[] noise = new byte[10_000];
    new Random(7).nextBytes(noise);

    assertThat(codec(name).pack(noise, 0, noise.length)).isNull();
    assertThat(codec(name).pack(new byte[100], 0, 100)).isNull();
    assertThat(codec("none").pack(new byte[9_000], 0, 9_000)).isNull();
  }

  @Test
  void shouldSayThatTheSettingDiffers() {
    byte[] packed = codec("lz4").pack(new byte[9_000], 0, 9_000);

    assertThatThrownBy(() -> codec("none").unpack(packed, 0, packed.length))
        .hasMessageContaining("spark.penstock.compression.codec");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd"})
  void shouldShuffleRowsAndObjects(String name) {
    try (LocalSpark spark = new LocalSpark(12, Map.of("spark.penstock.compression.codec", name))) {
      long before = ExecutorNode.current().metrics().bytesWritten.sum();
      // Objects: many in a message, and one that takes several messages however well it packs.
      byte[] noise = new byte[300_000];
      new Random(11).nextBytes(noise);
      List<Tuple2<Integer, byte[]>> objects =
          spark
              .rdds()
              .parallelize(IntStream.range(0, 1_000).boxed().toList(), 2)
              .mapToPair(n -> new Tuple2<>(n, n == 500 ? noise : new byte[1_000]))
              .partitionBy(new HashPartitioner(3))
              .collect();
      assertThat(objects).hasSize(1_000);
      assertThat(objects)
          .allSatisfy(
              row -> assertThat(row._2()).isEqualTo(row._1() == 500 ? noise : new byte[1_000]));
      // Rows: each is a message.
      List<Row> rows =
          spark
              .sql()
              .range(0, 500, 1, 2)
              .toDF("n")
              .withColumn("text", concat(col("n"), repeat(lit("some words "), 500)))
              .repartition(3, col("n"))
              .collectAsList();
      assertThat(rows).hasSize(500);
      assertThat(rows)
          .allSatisfy(
              row ->
                  assertThat(row.getString(1))
                      .isEqualTo(row.getLong(0) + "some words ".repeat(500)));

      assertThat(spark.figures().fellBack()).isZero();
      long written = ExecutorNode.current().metrics().bytesWritten.sum() - before;
      long plain = 1_000L * 1_000 + 300_000 + 500L * 5_500;
      if (name.equals("none")) {
        assertThat(written).isGreaterThan(plain);
      } else {
        assertThat(written).isBetween(300_000L, plain / 4);
      }
    }
  }
}

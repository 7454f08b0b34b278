package dev.penstock.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.max;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spark.demo.TickSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.streaming.ValueState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;
import scala.collection.Iterator;

/** The one stateful operator that Real-Time Mode of this Spark does not start. */
@Tag("spark-suites")
@Timeout(240)
class TransformWithStateTest {
  private static final int ROWS = 200;

  @TempDir Path directory;

  private static LocalSpark spark() {
    return new LocalSpark(
        "local[8]",
        Map.of(
            "spark.penstock.mode",
            "streaming",
            "spark.sql.shuffle.partitions",
            "2",
            "spark.sql.streaming.realTimeMode.minBatchDuration",
            "1000",
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"));
  }

  /** How many rows of its key there were so far. */
  private static final class Counter extends StatefulProcessor<Long, Row, Tuple2<Long, Long>> {
    private static final long serialVersionUID = 1L;
    private transient ValueState<Long> count;

    @Override
    public void init(OutputMode mode, TimeMode time) {
      count = getHandle().getValueState("count", Encoders.LONG(), TTLConfig.NONE());
    }

    @Override
    public Iterator<Tuple2<Long, Long>> handleInputRows(
        Long key, Iterator<Row> rows, TimerValues timers) {
      long sum = count.exists() ? count.get() : 0;
      while (rows.hasNext()) {
        rows.next();
        sum++;
      }
      count.update(sum);
      return scala.jdk.javaapi.CollectionConverters.asScala(
          List.of(new Tuple2<>(key, sum)).iterator());
    }
  }

  private StreamingQuery start(LocalSpark spark, Trigger trigger) throws Exception {
    Dataset<Row> ticks =
        spark
            .sql()
            .readStream()
            .format(TickSource.class.getName())
            .option("partitions", 2)
            .option("perSecond", 200)
            .option("rows", ROWS)
            .load();
    return ticks
        .groupByKey((MapFunction<Row, Long>) row -> row.getLong(0) % 10, Encoders.LONG())
        .transformWithState(
            new Counter(),
            TimeMode.None(),
            OutputMode.Update(),
            Encoders.tuple(Encoders.LONG(), Encoders.LONG()))
        .toDF("id", "created")
        .writeStream()
        .format("memory")
        .queryName("counts")
        .outputMode("update")
        .option("checkpointLocation", directory.toString())
        .trigger(trigger)
        .start();
  }

  @Test
  void shouldCountAsMicroBatches() throws Exception {
    Map<Long, Long> expected = new HashMap<>();
    LongStream.range(0, 10).forEach(key -> expected.put(key, 2 * ROWS / 10L));
    try (LocalSpark spark = spark()) {
      StreamingQuery query = start(spark, Trigger.ProcessingTime(0));
      Map<Long, Long> counts = new HashMap<>();
      while (!counts.equals(expected) && query.isActive()) {
        query.processAllAvailable();
        for (Row row :
            spark.sql().table("counts").groupBy("id").agg(max(col("created"))).collectAsList()) {
          counts.put(row.getLong(0), row.getLong(1));
        }
      }
      query.stop();

      assertThat(query.exception().isEmpty()).isTrue();
      assertThat(counts).isEqualTo(expected);
      assertThat(spark.figures().completed()).isPositive();
      assertThat(spark.figures().fellBack()).isZero();
    }
  }

  @Test
  void shouldBeRefusedBySparkInRealTimeMode() throws Exception {
    try (LocalSpark spark = spark()) {
      assertThatThrownBy(
              () -> start(spark, Trigger.RealTime("2 seconds")).awaitTermination(120_000))
          .hasStackTraceContaining("STDS_FAILED_TO_READ_OPERATOR_METADATA");
    }
  }
}

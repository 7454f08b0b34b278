package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.TransportSnapshot;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** Row 18 of docs/faults.md: executors share sessions, however many tasks there are. */
@Tag("spark-suites")
@Timeout(240)
class ConnectionsTest {
  /** What one executor saw: peers, connections, channels at the same time. */
  private record Seen(String executor, List<String> peers, int lanes, int channels)
      implements java.io.Serializable {}

  @Test
  void shouldNotOpenMoreConnectionsForMoreTasks() {
    try (LocalSpark spark = LocalSpark.cluster(16, Map.of())) {
      List<Seen> few = run(spark, 2);
      List<Seen> many = run(spark, 12);

      assertThat(spark.figures()).isEqualTo(new Figures(2, 2, 0));
      assertThat(channels(many)).isGreaterThan(channels(few));
      assertThat(few).allMatch(seen -> seen.peers().size() <= 4);
      // The driver, the other executor in both directions, and itself.
      assertThat(many).allMatch(seen -> seen.peers().size() <= 4);
      assertThat(many).allMatch(seen -> seen.lanes() <= 2 * 4);
    }
  }

  private static int channels(List<Seen> all) {
    return all.stream().mapToInt(Seen::channels).max().orElseThrow();
  }

  private static List<Seen> run(LocalSpark spark, int tasks) {
    return spark
        .rdds()
        .parallelize(IntStream.range(0, 4_000).boxed().toList(), tasks)
        .mapToPair(n -> new Tuple2<>(n, new byte[200]))
        .partitionBy(new HashPartitioner(tasks))
        .mapPartitions(
            it -> {
              it.next();
              Seen seen = look();
              it.forEachRemaining(row -> {});
              return List.of(seen).iterator();
            })
        .collect();
  }

  private static Seen look() {
    ExecutorNode node = ExecutorNode.current();
    TransportSnapshot snapshot = node.transport().snapshot();
    return new Seen(
        node.executor(),
        snapshot.sessions().stream().map(TransportSnapshot.SessionState::peer).toList(),
        snapshot.sessions().stream().mapToInt(TransportSnapshot.SessionState::lanes).sum(),
        snapshot.sessions().stream().mapToInt(TransportSnapshot.SessionState::channels).sum());
  }
}

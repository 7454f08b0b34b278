package dev.penstock.benchmarks;

import java.util.List;

/**
 * What is sent: how many producers and consumers, how large the records, how fast.
 *
 * @param id the workload, W1 to W11
 * @param caseName which variant of the workload
 * @param producers producer threads
 * @param consumers consumers; every producer sends to every consumer, so there are producers ×
 *     consumers channels
 * @param recordSize bytes of a record, at least 8, without the length prefix
 * @param ratePerSecond records per second of all producers together, 0 for as fast as possible
 * @param processes 1, or 2 for producers and consumers in JVMs of their own
 */
public record Workload(
    String id,
    String caseName,
    int producers,
    int consumers,
    int recordSize,
    int ratePerSecond,
    int processes) {

  /** Bytes that precede each record on the wire of a system that has no framing of its own. */
  public static final int LENGTH_PREFIX = Integer.BYTES;

  /** Bytes that systems without a batching of their own put into one write. */
  public static final int FRAME_SIZE = 32 * 1024;

  private static final List<Workload> ALL =
      List.of(
          new Workload("W1", "1x1", 1, 1, 100, 0, 1),
          new Workload("W1", "1x1-two-jvms", 1, 1, 100, 0, 2),
          new Workload("W2", "4x4", 4, 4, 100, 0, 1),
          new Workload("W3", "1x1", 1, 1, 8, 0, 1),
          new Workload("W3", "4x4", 4, 4, 8, 0, 1),
          new Workload("W4", "1x1", 1, 1, 32 * 1024, 0, 1),
          new Workload("W5", "1x1", 1, 1, 100, 10_000, 1),
          new Workload("W5", "4x4", 4, 4, 100, 1_000, 1));

  public Workload {
    if (recordSize < Long.BYTES) {
      throw new IllegalArgumentException(
          "recordSize is " + recordSize + ", a record has at least 8 bytes");
    }
  }

  /** All workloads that the harness can run. */
  public static List<Workload> all() {
    return ALL;
  }

  /** Finds a workload by the name that {@link #name()} gives. */
  public static Workload named(String name) {
    return ALL.stream()
        .filter(workload -> workload.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no workload '"
                        + name
                        + "', there are "
                        + ALL.stream().map(Workload::name).toList()));
  }

  /** Identifier and variant, for example {@code W2/4x4}. */
  public String name() {
    return id + "/" + caseName;
  }

  /** Whether latency at a fixed rate is measured instead of throughput. */
  public boolean paced() {
    return ratePerSecond > 0;
  }

  /** Number of channels, one for each pair of producer and consumer. */
  public int channels() {
    return producers * consumers;
  }

  /** Bytes of one record with its length prefix: what MB/s counts, for every system. */
  public int framedSize() {
    return LENGTH_PREFIX + recordSize;
  }

  /**
   * Capacity of a buffer that collects records into one write: a frame, or one record where that is
   * larger.
   */
  public int writeSize() {
    return Math.max(FRAME_SIZE, framedSize());
  }
}

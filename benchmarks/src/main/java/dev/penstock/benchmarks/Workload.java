package dev.penstock.benchmarks;

import java.util.List;
import java.util.Set;

/**
 * What is sent: how many producers and consumers, how large the records, how fast.
 *
 * @param id the workload, W1 to W11, or a scale, S1 to S3
 * @param caseName which variant of the workload
 * @param producers producer threads
 * @param consumers consumers; every producer sends to every consumer, so there are producers ×
 *     consumers channels
 * @param recordSize bytes of a record, at least 8, without the length prefix
 * @param ratePerSecond records per second of all producers together, 0 for as fast as possible
 * @param processes 1, or 2 for producers and consumers in JVMs of their own
 * @param traits what is special about it
 */
public record Workload(
    String id,
    String caseName,
    int producers,
    int consumers,
    int recordSize,
    int ratePerSecond,
    int processes,
    Set<Trait> traits) {

  /** Bytes that precede each record on the wire of a system that has no framing of its own. */
  public static final int LENGTH_PREFIX = Integer.BYTES;

  /** Bytes that systems without a batching of their own put into one write. */
  public static final int FRAME_SIZE = 32 * 1024;

  private static final int SMALL = 100;
  private static final List<Workload> ALL =
      List.of(
          throughput("W1", "1x1", 1, 1, SMALL),
          new Workload("W1", "1x1-two-jvms", 1, 1, SMALL, 0, 2, Set.of()),
          throughput("W2", "4x4", 4, 4, SMALL),
          throughput("W3", "1x1", 1, 1, 8),
          throughput("W3", "4x4", 4, 4, 8),
          throughput("W4", "1x1", 1, 1, 32 * 1024),
          new Workload("W5", "1x1", 1, 1, SMALL, 10_000, 1, Set.of()),
          new Workload("W5", "4x4", 4, 4, SMALL, 1_000, 1, Set.of()),
          throughput("W6", "1x1", 1, 1, SMALL, Trait.SAME_NODE),
          throughput("W6", "4x4", 4, 4, SMALL, Trait.SAME_NODE),
          throughput("W7", "1x4", 1, 4, SMALL, Trait.ZIPF),
          throughput("W7", "1x1000", 1, 1_000, SMALL, Trait.ZIPF),
          throughput("W7", "1x10000", 1, 10_000, SMALL, Trait.ZIPF),
          throughput("W8", "4x4-undisturbed", 4, 4, SMALL, Trait.OTHERS_COUNT),
          throughput("W8", "4x4", 4, 4, SMALL, Trait.OTHERS_COUNT, Trait.SLOW_CONSUMER),
          throughput("W9", "1x1-plain", 1, 1, SMALL),
          throughput("W9", "1x1-tls", 1, 1, SMALL, Trait.TLS),
          throughput("W9", "1x1-no-crc", 1, 1, SMALL, Trait.NO_CHECKSUM),
          throughput("W10", "1x1", 1, 1, SMALL, Trait.CUTS),
          throughput("S1", "1x1", 1, 1, SMALL, Trait.ZIPF),
          throughput("S1", "1x4", 1, 4, SMALL, Trait.ZIPF),
          throughput("S1", "1x16", 1, 16, SMALL, Trait.ZIPF),
          throughput("S1", "1x64", 1, 64, SMALL, Trait.ZIPF),
          throughput("S1", "1x256", 1, 256, SMALL, Trait.ZIPF),
          throughput("S1", "1x1000", 1, 1_000, SMALL, Trait.ZIPF),
          throughput("S1", "1x10000", 1, 10_000, SMALL, Trait.ZIPF),
          throughput("S2", "8B", 1, 1, 8),
          throughput("S2", "32B", 1, 1, 32),
          throughput("S2", "100B", 1, 1, SMALL),
          throughput("S2", "1KiB", 1, 1, 1024),
          throughput("S2", "8KiB", 1, 1, 8 * 1024),
          throughput("S2", "32KiB", 1, 1, 32 * 1024),
          throughput("S2", "256KiB", 1, 1, 256 * 1024),
          throughput("S2", "1MiB", 1, 1, 1024 * 1024),
          throughput("S3", "1x4", 1, 4, SMALL),
          throughput("S3", "2x4", 2, 4, SMALL),
          throughput("S3", "4x4", 4, 4, SMALL),
          throughput("S3", "8x4", 8, 4, SMALL));

  public Workload {
    traits = Set.copyOf(traits);
    if (recordSize < Long.BYTES) {
      throw new IllegalArgumentException(
          "recordSize is " + recordSize + ", a record has at least 8 bytes");
    }
  }

  private static Workload throughput(
      String id, String caseName, int producers, int consumers, int recordSize, Trait... traits) {
    return new Workload(id, caseName, producers, consumers, recordSize, 0, 1, Set.of(traits));
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

  /** Whether the workload is special in this way. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Whether it is a point of a curve: the same with more channels, bytes or producers. */
  public boolean isScale() {
    return id.startsWith("S");
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

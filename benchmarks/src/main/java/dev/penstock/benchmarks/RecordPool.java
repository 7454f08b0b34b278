package dev.penstock.benchmarks;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The records of one producer, made once and sent in turn, so that making them costs nothing while
 * the clock runs. The first eight bytes are the key: they choose the consumer and are summed on
 * both sides.
 */
final class RecordPool {
  private static final int MAX_RECORDS = 512;
  private static final int MIN_RECORDS = 16;
  private static final int TARGET_BYTES = 128 * 1024;

  /** Enough draws that rare consumers of a Zipf distribution occur. */
  private static final int ZIPF_DRAWS = 1 << 17;

  private final byte[][] records;
  private final long[] heads;
  private final int[] consumers;

  RecordPool(Workload workload, int producer) {
    int size = poolSize(workload.recordSize());
    records = new byte[size][workload.recordSize()];
    heads = new long[size];
    SplittableRandom random = new SplittableRandom(producer + 1L);
    for (int i = 0; i < size; i++) {
      random.nextBytes(records[i]);
      heads[i] = ByteBuffer.wrap(records[i]).getLong(0);
    }
    consumers =
        workload.has(Trait.ZIPF)
            ? Zipf.draw(workload.consumers(), ZIPF_DRAWS, random)
            : byKey(heads, workload.consumers());
  }

  /** A power of two, such that the pool stays in the second-level cache where records are small. */
  private static int poolSize(int recordSize) {
    int size = MAX_RECORDS;
    while (size > MIN_RECORDS && (long) size * recordSize > TARGET_BYTES) {
      size /= 2;
    }
    return size;
  }

  private static int[] byKey(long[] keys, int consumers) {
    int[] chosen = new int[keys.length];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = partition(keys[i], consumers);
    }
    return chosen;
  }

  /** The consumer that a key belongs to: the high bits of a multiplicative hash. */
  static int partition(long key, int consumers) {
    long hash = (key * 0x9E3779B97F4A7C15L) >>> 32;
    return (int) ((hash * consumers) >>> 32);
  }

  /** How many different records there are. */
  int size() {
    return records.length;
  }

  /** The record with a running number. */
  byte[] record(long number) {
    return records[(int) number & (records.length - 1)];
  }

  /** Its key, as it was made. */
  long head(long number) {
    return heads[(int) number & (heads.length - 1)];
  }

  /** For whom it is. */
  int consumer(long number) {
    return consumers[(int) number & (consumers.length - 1)];
  }
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.wire.Record;

/**
 * What every byte of a channel must be, from the channel's seed alone: producers write it,
 * consumers check it without having seen it.
 */
final class Content {
  /** Sizes of records: mostly small, or with large ones among them. */
  enum Sizes {
    TINY,
    MIXED,
    LARGE
  }

  static final int LARGEST = 100_000;

  private final long seed;
  private final Sizes sizes;
  private final int eventEvery;

  Content(long seed, Sizes sizes, int eventEvery) {
    this.seed = seed;
    this.sizes = sizes;
    this.eventEvery = eventEvery;
  }

  boolean isEvent(long sequence) {
    return eventEvery > 0 && sequence % eventEvery == eventEvery - 1;
  }

  /** Bytes of the record's body. */
  int length(long sequence) {
    long x = mix(seed ^ sequence * 0x9E3779B97F4A7C15L);
    int kind = (int) (x >>> 40) % 100;
    int draw = (int) (x >>> 8 & 0xFFFFFF);
    if (isEvent(sequence)) {
      return draw % 200;
    }
    return switch (sizes) {
      case TINY -> draw % 60;
      case MIXED -> kind < 70 ? draw % 200 : kind < 95 ? 200 + draw % 3_000 : draw % 20_000;
      case LARGE -> kind < 50 ? draw % 300 : kind < 90 ? draw % 10_000 : draw % LARGEST;
    };
  }

  /** The longest of the first records' bodies. */
  int longest(int records) {
    int longest = 0;
    for (int i = 0; i < records; i++) {
      longest = Math.max(longest, length(i));
    }
    return longest;
  }

  int head(long sequence) {
    return Record.head(isEvent(sequence) ? Record.EVENT : Record.MESSAGE, length(sequence));
  }

  /** The byte at an offset of the record, head included. */
  byte byteAt(long sequence, int offset) {
    if (offset < Record.HEAD_BYTES) {
      return (byte) (head(sequence) >>> (8 * offset));
    }
    return (byte) (seed + sequence * 31 + offset * 7L);
  }

  byte[] record(long sequence) {
    int length = Record.HEAD_BYTES + length(sequence);
    byte[] bytes = new byte[length];
    int head = head(sequence);
    for (int i = 0; i < Record.HEAD_BYTES; i++) {
      bytes[i] = (byte) (head >>> (8 * i));
    }
    byte value = (byte) (seed + sequence * 31 + Record.HEAD_BYTES * 7L);
    for (int i = Record.HEAD_BYTES; i < length; i++) {
      bytes[i] = value;
      value = (byte) (value + 7);
    }
    return bytes;
  }

  private static long mix(long value) {
    long x = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
    return (x ^ x >>> 31) & Long.MAX_VALUE;
  }
}

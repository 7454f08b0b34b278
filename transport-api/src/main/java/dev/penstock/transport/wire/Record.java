package dev.penstock.transport.wire;

/**
 * The head of a record, as it lies in the append log and in the payload of DATA frames: a
 * little-endian u32 with the length of what follows in the low 30 bits and the kind in the high 2
 * bits.
 *
 * <p>A record may start at any byte: records are not aligned.
 */
public final class Record {
  /** Bytes of the head. */
  public static final int HEAD_BYTES = 4;

  /** A message of the application. */
  public static final int MESSAGE = 0;

  /** An event of the application, in order with the messages. */
  public static final int EVENT = 1;

  /** The most that one record can carry. */
  public static final int MAX_LENGTH = (1 << 30) - 1;

  private Record() {}

  /**
   * Makes a head.
   *
   * @param kind {@link #MESSAGE} or {@link #EVENT}
   * @param length bytes that follow, 0 to {@link #MAX_LENGTH}
   * @return the head
   */
  public static int head(int kind, int length) {
    return kind << 30 | length;
  }

  /**
   * The kind in a head.
   *
   * @param head a head
   * @return 0 to 3
   */
  public static int kind(int head) {
    return head >>> 30;
  }

  /**
   * The length in a head.
   *
   * @param head a head
   * @return bytes that follow it
   */
  public static int length(int head) {
    return head & MAX_LENGTH;
  }
}

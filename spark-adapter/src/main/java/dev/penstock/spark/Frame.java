package dev.penstock.spark;

/** The one byte in front of each message: what follows, and whether it goes on. */
final class Frame {
  /** One row's bytes. */
  static final int ROW = 0;

  /** A stream of serialized records, complete in itself. */
  static final int STREAM = 1;

  /** Added when the next message continues this one. */
  static final int MORE = 2;

  /** Added when the message, put together, is compressed. */
  static final int PACKED = 4;

  static final int HEADER = 1;

  private Frame() {}
}

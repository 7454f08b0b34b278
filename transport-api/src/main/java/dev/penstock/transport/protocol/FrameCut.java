package dev.penstock.transport.protocol;

/** What {@link RecordSource#cut} found. One is reused for all frames; not thread safe. */
public final class FrameCut {
  /** Bytes to send, at least 1. */
  public int length;

  /** Messages that end within them. */
  public int messages;

  /** Flags of the DATA frame: 0, or PIECE with or without LAST_PIECE. */
  public int flags;

  /** CRC32C of the bytes; 0 when payload CRCs are off. */
  public int crc;

  /** Creates an empty one. */
  public FrameCut() {}
}

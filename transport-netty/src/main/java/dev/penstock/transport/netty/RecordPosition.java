package dev.penstock.transport.netty;

import io.netty.buffer.ByteBuf;

/** Where a consumer stands in a channel. Guarded by the channel's claim. */
final class RecordPosition {
  /** The frame that is being walked. */
  InboundFrame frame;

  /** Index of the next record in its memory. */
  int offset;

  /** Whether its payload was checked. */
  boolean checked;

  /** Records found in it so far. */
  int found;

  /** Sequence of the next message. */
  long sequence;

  /** Position behind the last whole message. */
  long taken;

  /** Kind of the message that comes in pieces. */
  int kind;

  /** Its length. */
  int total;

  /** Bytes of it that have not come yet; 0 between messages. */
  int rest;

  /** Where it is put together; null when pieces are handed out. */
  ByteBuf assembly;

  /** Bytes asked of the {@link Assembler}; 0 for none. Guarded by it. */
  long reserved;

  /** Whether it granted them. Guarded by it. */
  boolean granted;

  /** The consumer wants nothing more of the channel. */
  boolean discarding;
}

package dev.penstock.transport.netty;

import dev.penstock.transport.wire.Record;

/**
 * How append logs are laid out.
 *
 * @param segmentBytes about how much the writer sums at once; two should fit into a frame
 * @param maxMessageBytes longest message
 * @param maxChunkBytes largest chunk of ordinary traffic
 * @param payloadCrc whether payloads are summed
 */
record LogSettings(int segmentBytes, int maxMessageBytes, int maxChunkBytes, boolean payloadCrc) {
  /** Half a default frame, less what its header may take. */
  static final LogSettings DEFAULT =
      new LogSettings((64 * 1024 - 1024) / 2, 16 << 20, ChunkSizes.MAX, true);

  LogSettings {
    if (segmentBytes < 1
        || maxMessageBytes < 0
        || maxMessageBytes > Record.MAX_LENGTH - Record.HEAD_BYTES
        || maxChunkBytes < ChunkSizes.EVENT) {
      throw new IllegalArgumentException(
          "segmentBytes="
              + segmentBytes
              + ", maxMessageBytes="
              + maxMessageBytes
              + ", maxChunkBytes="
              + maxChunkBytes);
    }
  }

  /** The largest chunk that one message can need. */
  int maxMessageChunk() {
    return ChunkSizes.holding(maxMessageBytes + Record.HEAD_BYTES);
  }
}

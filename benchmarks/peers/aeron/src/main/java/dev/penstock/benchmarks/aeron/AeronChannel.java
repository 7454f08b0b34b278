package dev.penstock.benchmarks.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import java.io.IOException;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * One publication: records are put straight into claims of its log. A claim holds many records, or
 * one where each is flushed.
 */
final class AeronChannel {
  /** In the place of a record's length: nothing follows in this claim. */
  static final int END_OF_CLAIM = 0;

  /** In the place of a record's length: nothing follows in this channel. */
  static final int END_OF_CHANNEL = -1;

  private final ExclusivePublication publication;
  private final int claimSize;
  private final IdleStrategy idle = AeronSystem.backOff();
  private final BufferClaim claim = new BufferClaim();
  private MutableDirectBuffer buffer;
  private int position;
  private int limit;

  AeronChannel(ExclusivePublication publication, int claimSize) {
    this.publication = publication;
    this.claimSize = claimSize;
  }

  void put(byte[] record) throws IOException {
    int needed = Integer.BYTES + record.length;
    if (limit - position < needed) {
      commit();
      claim(Math.max(claimSize, needed));
    }
    buffer.putInt(position, record.length, ByteOrder.BIG_ENDIAN);
    buffer.putBytes(position + Integer.BYTES, record);
    position += needed;
  }

  private void claim(int length) throws IOException {
    idle.reset();
    for (long result = publication.tryClaim(length, claim);
        result < 0;
        result = publication.tryClaim(length, claim)) {
      if (result != Publication.BACK_PRESSURED && result != Publication.ADMIN_ACTION) {
        throw new IOException("the publication says " + Publication.errorString(result));
      }
      idle.idle();
    }
    buffer = claim.buffer();
    position = claim.offset();
    limit = position + length;
  }

  /** Lets the current claim go, full or not. */
  void commit() {
    if (buffer == null) {
      return;
    }
    if (limit - position >= Integer.BYTES) {
      buffer.putInt(position, END_OF_CLAIM);
    }
    claim.commit();
    buffer = null;
    position = 0;
    limit = 0;
  }

  void end() throws IOException {
    commit();
    claim(Integer.BYTES);
    buffer.putInt(position, END_OF_CHANNEL);
    position += Integer.BYTES;
    commit();
  }
}

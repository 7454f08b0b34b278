package dev.penstock.spark;

import dev.penstock.transport.MessageClaim;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;

/**
 * Puts bytes into a gate's log, in pieces where they are too long, and waits for room in short
 * steps, so that a killed task is noticed. One thread at a time.
 */
final class GateWriter {
  private static final Duration STEP = Duration.ofMillis(100);

  private final OutputGate gate;
  private final int limit;
  private final Compression compression;
  private final TaskContext context;
  private final WriterSession session;
  private final ShuffleWriteMetricsReporter metrics;
  private final TransferMetrics totals;
  private final MessageClaim claim = new MessageClaim();
  private final long[] lengths;

  GateWriter(
      OutputGate gate,
      int limit,
      Compression compression,
      TaskContext context,
      WriterSession session,
      ShuffleWriteMetricsReporter metrics,
      TransferMetrics totals) {
    this.gate = gate;
    this.limit = limit;
    this.compression = compression;
    this.context = context;
    this.session = session;
    this.metrics = metrics;
    this.totals = totals;
    this.lengths = new long[gate.consumers()];
  }

  long[] lengths() {
    return lengths;
  }

  /** Waits for room as long as it takes. */
  void send(int partition, int kind, byte[] bytes, int offset, int length) {
    byte[] packed = compression.pack(bytes, offset, length);
    if (packed == null) {
      sendInPieces(partition, kind, bytes, offset, length);
    } else {
      sendInPieces(partition, kind | Frame.PACKED, packed, 0, packed.length);
    }
  }

  private void sendInPieces(int partition, int kind, byte[] bytes, int offset, int length) {
    int from = offset;
    int left = length;
    do {
      int piece = Math.min(left, limit - Frame.HEADER);
      left -= piece;
      int header = left > 0 ? kind | Frame.MORE : kind;
      if (!put(partition, header, bytes, from, piece)) {
        return;
      }
      from += piece;
    } while (left > 0);
    count(partition, length);
  }

  /** Sends if there is room now; only what fits into one message. */
  boolean trySend(int partition, int kind, byte[] bytes, int length) {
    byte[] packed = compression.pack(bytes, 0, length);
    return packed == null
        ? trySendWhole(partition, kind, bytes, length)
        : trySendWhole(partition, kind | Frame.PACKED, packed, packed.length);
  }

  private boolean trySendWhole(int partition, int kind, byte[] bytes, int length) {
    if (length + Frame.HEADER > limit) {
      return false;
    }
    OfferResult result = gate.tryClaim(partition, length + Frame.HEADER, claim);
    if (result == OfferResult.BACK_PRESSURED) {
      return false;
    }
    if (result == OfferResult.ACCEPTED) {
      commit(kind, bytes, 0, length);
      count(partition, length);
    }
    // What else can happen, the task finds out by itself at its next record.
    return true;
  }

  private boolean put(int partition, int header, byte[] bytes, int from, int length) {
    OfferResult result = gate.tryClaim(partition, length + Frame.HEADER, claim);
    if (result == OfferResult.BACK_PRESSURED) {
      result = await(partition, length + Frame.HEADER);
    }
    switch (result) {
      case ACCEPTED -> commit(header, bytes, from, length);
      case STOPPED -> {
        return false;
      }
      case FAILED -> {
        TransportException failure = gate.failure(partition);
        throw new IllegalStateException(
            "the reader of partition " + partition + " is gone: " + failure.getMessage(), failure);
      }
      default -> {
        session.check();
        throw new IllegalStateException(
            "writing for partition " + partition + " answered " + result);
      }
    }
    return true;
  }

  private OfferResult await(int partition, int length) {
    long start = System.nanoTime();
    try {
      OfferResult result;
      do {
        context.killTaskIfInterrupted();
        session.check();
        result = gate.claim(partition, length, claim, STEP);
      } while (result == OfferResult.BACK_PRESSURED);
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      context.killTaskIfInterrupted();
      throw new IllegalStateException("interrupted while waiting for room", e);
    } finally {
      long waited = System.nanoTime() - start;
      metrics.incWriteTime(waited);
      totals.blockedNanos.add(waited);
    }
  }

  private void commit(int header, byte[] bytes, int from, int length) {
    ByteBuffer room = claim.buffer();
    room.put((byte) header);
    room.put(bytes, from, length);
    claim.commit();
  }

  private void count(int partition, int length) {
    lengths[partition] += length;
    metrics.incBytesWritten(length);
    totals.bytesWritten.add(length);
  }
}

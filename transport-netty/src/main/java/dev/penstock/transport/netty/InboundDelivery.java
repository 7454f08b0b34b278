package dev.penstock.transport.netty;

import java.util.concurrent.atomic.AtomicLong;

/** Where the channels of a gate meet their consumer. */
abstract class InboundDelivery {
  /** Messages of one channel before it is another's turn. */
  static final int QUANTUM = 512;

  private final AtomicLong copied = new AtomicLong();
  private final RecordCursor cursor = new RecordCursor(this);
  private final int maxMessage;

  /** For large messages; null when they are handed out in pieces. */
  private final Assembler assembler;

  InboundDelivery(int maxMessage, Assembler assembler) {
    this.maxMessage = maxMessage;
    this.assembler = assembler;
  }

  /**
   * Gate memory in use for copied payloads: what the allocator took. Part of what the senders'
   * credit covers.
   */
  final AtomicLong copied() {
    return copied;
  }

  final int maxMessage() {
    return maxMessage;
  }

  final Assembler assembler() {
    return assembler;
  }

  /** The consumer's. */
  final RecordCursor cursor() {
    return cursor;
  }

  /**
   * Hands out records of one channel on the ready list. Consumer's thread.
   *
   * @param channel which
   * @param limit most records
   * @param handler takes them; its exceptions pass through and leave the channel on the list
   * @return whether the channel stays on the list
   */
  final boolean visit(InboundChannel channel, int limit, RecordHandler handler) {
    if (!channel.tryClaim()) {
      // The lane is just emptying it, and will have news.
      cursor.skip();
      return true;
    }
    try {
      cursor.walk(channel, limit, handler);
      return switch (cursor.stop()) {
        case EMPTY -> !channel.unschedule(false);
        case WAITING -> !channel.unschedule(true);
        case LIMIT, PAUSED -> true;
      };
    } finally {
      channel.releaseClaim();
    }
  }

  /** Whether the consumer is the channel's event loop itself. */
  abstract boolean onLoop();

  /**
   * A channel has something; it is not in the ready list. {@link #wake} must follow. Any thread.
   */
  abstract void ready(InboundChannel channel);

  /** Makes the consumer look at the ready list, if it sleeps. Any thread. */
  abstract void wake();
}

package dev.penstock.transport.protocol;

/**
 * A receiving channel's absolute credit. The limit is never lowered and always at least {@code
 * consumed + floor}; beyond that it is backed by float from the budget and goes only to data that
 * the sender has announced, so what is granted will be used.
 *
 * <p>Everything is computed again from the levels after each change.
 */
final class CreditWindow {
  private final CreditShare share;
  private final int floor;
  private long consumed;
  private long limit;
  private long floated;
  private long announcedLimit;

  /** Position behind the last record that the sender said it has. */
  private long senderEnd;

  private boolean demanded;
  private boolean closed;
  private boolean returned;

  CreditWindow(CreditShare share) {
    this.share = share;
    this.floor = share.floor;
    this.limit = floor;
  }

  /** Memory was given back; float that no longer backs anything returns to the budget. */
  void consumed(long position) {
    consumed = position;
    if (!closed) {
      limit = Math.max(limit, consumed + floor);
      keepFloat(limit - consumed - floor);
      raise();
    } else if (!returned) {
      keepFloat(Math.max(0, limit - consumed - floor));
      returnIfNothingHeld();
    }
  }

  private void keepFloat(long needed) {
    if (needed < floated) {
      long spare = floated - needed;
      floated = needed;
      share.pool.give(spare);
    }
  }

  /** The sender has records up to a position. */
  void announced(long end) {
    senderEnd = Math.max(senderEnd, end);
  }

  /** The sender said that it is starved at the announced limit. */
  void demanded() {
    demanded = true;
  }

  /** Takes what float there is for announced data, up to the channel's cap. */
  void raise() {
    if (closed) {
      return;
    }
    long want = Math.min(senderEnd, consumed + floor + share.cap) - limit;
    if (want > 0) {
      long got = share.pool.take(share, want);
      floated += got;
      limit += got;
    }
  }

  /**
   * Whether the limit is worth a CREDIT now: nothing is held, or the sender waits and the step is
   * no crumb.
   */
  boolean shouldAnnounce(long received) {
    long step = limit - announcedLimit;
    if (step <= 0) {
      return false;
    }
    long waits = senderEnd - announcedLimit;
    if (consumed == received) {
      return true;
    }
    long held = limit - consumed;
    return step >= Math.max(floor, held / 4)
        || (demanded && step >= Math.min(waits, floor))
        || (waits > 0 && step >= Math.min(waits, Math.max(floor, held / 8)));
  }

  /**
   * The consumed position from which on the lane should be told of consumption: at once where the
   * sender waits, else when it is worth a CREDIT. Further data makes the lane look anyway.
   */
  long notifyAt(long received) {
    long held = received - consumed;
    if (closed || held == 0) {
      return Lane.NEVER;
    }
    long window = limit - consumed;
    if (senderStarved()) {
      return Math.min(received, consumed + Math.max(floor, window / 8));
    }
    long quarter = Math.max(floor, window / 4);
    if (quarter <= held) {
      return consumed + quarter;
    }
    return announcedLimit - received < floor / 2 ? received : Lane.NEVER;
  }

  /** The limit goes out. */
  void announce() {
    if (limit > announcedLimit) {
      announcedLimit = limit;
      demanded = false;
    }
  }

  /**
   * The channel is over: what backs no memory that the application holds returns to the budget, the
   * rest when the application gives that back.
   */
  void close(long received) {
    if (!closed) {
      closed = true;
      limit = received;
      keepFloat(Math.max(0, limit - consumed - floor));
      returnIfNothingHeld();
    }
  }

  private void returnIfNothingHeld() {
    if (consumed == limit) {
      returned = true;
      share.pool.unregister(share);
    }
  }

  /** Whether the sender does not know of all the credit that it has. */
  boolean unannounced() {
    return limit > announcedLimit;
  }

  long announcedLimit() {
    return announcedLimit;
  }

  boolean senderStarved() {
    return demanded || senderEnd > announcedLimit;
  }

  long consumed() {
    return consumed;
  }

  long limit() {
    return limit;
  }

  long floated() {
    return floated;
  }

  int floor() {
    return floor;
  }
}

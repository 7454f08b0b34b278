package dev.penstock.transport.protocol;

/**
 * The arithmetic of a receive budget: half of it is for floors, which are reserved at registration,
 * fixed and never lent; the rest floats to channels whose senders announced data. What is granted
 * is always backed: the sum of floors and of float taken never exceeds the budget.
 *
 * <p>Decided by level: a channel that got less than it wanted is queued and asks again when float
 * comes back; nothing is remembered of what it wanted. Not thread safe.
 */
public final class CreditBudget {
  /** The smallest floor, in bytes. */
  public static final int MIN_FLOOR = 1024;

  /**
   * A grant is at least this much when there is this much: otherwise crumbs would make crumbs of
   * frames.
   */
  private static final long MIN_GRANT = 16 * 1024;

  /**
   * No channel takes more than this part of the free float at once, so that late comers find some.
   */
  private static final int GRANT_DIVISOR = 4;

  private final long bytes;
  private final int floor;
  private long floors;
  private long floated;
  private CreditShare firstWaiting;
  private CreditShare lastWaiting;

  /**
   * Creates a budget.
   *
   * @param bytes all of it
   * @param channels how many channels it is to serve: the floor is {@code bytes / (2 * channels)}
   */
  public CreditBudget(long bytes, int channels) {
    if (bytes <= 0 || channels <= 0) {
      throw new IllegalArgumentException(
          "a budget of " + bytes + " bytes, " + channels + " channels");
    }
    this.bytes = bytes;
    this.floor = (int) Math.min(Integer.MAX_VALUE, Math.max(MIN_FLOOR, bytes / (2L * channels)));
  }

  /**
   * Registers a channel.
   *
   * @param pool whom its flow is to ask: this budget behind whatever serializes it
   * @param listener told when float may be there again
   * @param cap most float for the channel
   * @return its share, or null when half of the budget is already reserved
   */
  public CreditShare register(CreditPool pool, CreditShare.Listener listener, long cap) {
    if (floors + floor > bytes / 2) {
      return null;
    }
    floors += floor;
    return new CreditShare(pool, listener, floor, cap);
  }

  /**
   * See {@link CreditPool#take}.
   *
   * @param share who asks
   * @param want bytes
   * @return bytes taken
   */
  public long take(CreditShare share, long want) {
    long free = freeFloat();
    long fair = Math.max(MIN_GRANT, free / GRANT_DIVISOR);
    long granted = Math.min(want, Math.min(free, fair));
    floated += granted;
    if (granted < want && !share.waiting && share.registered) {
      enqueue(share);
    }
    return granted;
  }

  /**
   * See {@link CreditPool#give}. Follow it with {@link #nextToWake()} until that is null.
   *
   * @param given bytes
   */
  public void give(long given) {
    if (given < 0 || given > floated) {
      throw new IllegalStateException("float of " + given + " returned, " + floated + " taken");
    }
    floated -= given;
  }

  /**
   * See {@link CreditPool#unregister}.
   *
   * @param share the share
   */
  public void unregister(CreditShare share) {
    if (share.registered) {
      share.registered = false;
      floors -= share.floor;
    }
  }

  /**
   * Takes the next waiting share off the queue if there is float for it. It must then be told to
   * ask again.
   *
   * @return the share, or null
   */
  public CreditShare nextToWake() {
    while (firstWaiting != null && (freeFloat() > 0 || !firstWaiting.registered)) {
      CreditShare share = firstWaiting;
      firstWaiting = share.nextWaiting;
      if (firstWaiting == null) {
        lastWaiting = null;
      }
      share.nextWaiting = null;
      share.waiting = false;
      if (share.registered) {
        return share;
      }
    }
    return null;
  }

  private void enqueue(CreditShare share) {
    share.waiting = true;
    if (lastWaiting == null) {
      firstWaiting = share;
    } else {
      lastWaiting.nextWaiting = share;
    }
    lastWaiting = share;
  }

  /**
   * All of it.
   *
   * @return bytes
   */
  public long bytes() {
    return bytes;
  }

  /**
   * Credit per channel that is never lent.
   *
   * @return bytes
   */
  public int floor() {
    return floor;
  }

  /**
   * Bytes reserved as floors.
   *
   * @return bytes
   */
  public long reserved() {
    return floors;
  }

  /**
   * Bytes of float that channels hold.
   *
   * @return bytes
   */
  public long floated() {
    return floated;
  }

  private long freeFloat() {
    // The half that floors may come to reserve stays out of reach, so a registration never has to
    // take float back.
    return bytes - bytes / 2 - floated;
  }
}

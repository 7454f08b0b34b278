package dev.penstock.transport.netty;

import dev.penstock.transport.MemoryBudget;
import dev.penstock.transport.protocol.CreditBudget;
import dev.penstock.transport.protocol.CreditPool;
import dev.penstock.transport.protocol.CreditShare;

/**
 * A budget of a transport: log memory for what its gates send, and credit for what they receive.
 * The credit's arithmetic is one pure {@link CreditBudget} behind one lock, for its channels' lanes
 * are on several threads.
 */
final class NettyMemoryBudget implements MemoryBudget, CreditPool {
  private final long bytes;
  private final int channels;
  private final long channelFloat;
  private final LogMemory log;
  private final CreditBudget credit;
  private long creditPeak;

  NettyMemoryBudget(long bytes, int channels, long channelFloat, long logFloat) {
    this.bytes = bytes;
    this.channels = channels;
    this.channelFloat = channelFloat;
    this.log = new LogMemory(bytes, channels, logFloat);
    this.credit = new CreditBudget(bytes, channels);
  }

  LogMemory log() {
    return log;
  }

  /** A share for an incoming channel, or null if half of the budget is reserved. */
  synchronized CreditShare registerCredit(CreditShare.Listener listener) {
    return credit.register(this, listener, channelFloat);
  }

  int creditFloor() {
    return credit.floor();
  }

  @Override
  public synchronized long take(CreditShare share, long want) {
    long taken = credit.take(share, want);
    creditPeak = Math.max(creditPeak, credit.floated() + credit.reserved());
    return taken;
  }

  @Override
  public void give(long given) {
    synchronized (this) {
      credit.give(given);
    }
    wakeNext();
  }

  /**
   * Wakes one share that waits, if there is float. One at a time: each that was woken must call
   * this when it has asked, so what it did not take serves the next, and thousands do not come
   * running for what one of them will take.
   */
  void wakeNext() {
    CreditShare next;
    synchronized (this) {
      next = credit.nextToWake();
    }
    if (next != null) {
      next.notifyFloatAvailable();
    }
  }

  @Override
  public synchronized void unregister(CreditShare share) {
    credit.unregister(share);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public int channels() {
    return channels;
  }

  @Override
  public long outputBytesUsed() {
    return log.used();
  }

  @Override
  public synchronized long inputBytesUsed() {
    return credit.floated() + credit.reserved();
  }

  @Override
  public long outputBytesPeak() {
    return log.peak();
  }

  @Override
  public synchronized long inputBytesPeak() {
    return Math.max(creditPeak, credit.floated() + credit.reserved());
  }
}

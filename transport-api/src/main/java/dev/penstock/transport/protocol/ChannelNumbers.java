package dev.penstock.transport.protocol;

/**
 * The channel numbers of a lane: the dialer's are even, the acceptor's odd, each side's ascend and
 * are never used again, so a number below the highest seen that is not live is closed.
 */
final class ChannelNumbers {
  /**
   * From here on (unsigned) no channel is opened: the session drains and a successor is dialled.
   */
  private static final int LAST = -(1 << 16);

  private final int ownParity;
  private int next;
  private int highestOfPeer;
  private boolean anyOfPeer;

  ChannelNumbers(boolean dialer) {
    ownParity = dialer ? 0 : 1;
    next = ownParity;
  }

  boolean exhausted() {
    return Integer.compareUnsigned(next, LAST) >= 0;
  }

  int take() {
    int number = next;
    next += 2;
    return number;
  }

  /** Passes numbers over, as if they had been used, so that a few are left. */
  void leave(int count) {
    next = LAST - 2 * count + ownParity;
  }

  boolean isPeers(int number) {
    return (number & 1) != ownParity;
  }

  /** Whether a number of the peer's is above all that it has used. */
  boolean isNew(int number) {
    return !anyOfPeer || Integer.compareUnsigned(number, highestOfPeer) > 0;
  }

  /** Whether a number has been used, by whichever side it belongs to. */
  boolean isUsed(int number) {
    return isPeers(number) ? !isNew(number) : Integer.compareUnsigned(number, next) < 0;
  }

  void used(int number) {
    anyOfPeer = true;
    highestOfPeer = number;
  }

  /** The peer begins anew: no lane of the session ever came up. */
  void forgetPeers() {
    anyOfPeer = false;
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;

/**
 * One end of a channel on a lane: what both kinds have in common. What is to be said is state (bits
 * of {@link #due}), never a queue, so that a peer that does not read cannot make memory grow.
 *
 * <p>Confined to the lane's thread.
 */
public abstract sealed class Flow permits SendFlow, ReceiveFlow, WaitingFlow {
  static final int DUE_OPEN = 1;
  static final int DUE_DEMAND = 1 << 1;
  static final int DUE_CREDIT = 1 << 2;
  static final int DUE_FINISH = 1 << 3;
  static final int DUE_TERMINAL = 1 << 4;
  static final int DUE_CLOSED = 1 << 5;

  final LaneCore lane;
  final int number;
  final ChannelKey key;

  /** Whether this side opened the channel. */
  final boolean opener;

  int due;

  /** Whether the peer has restated the channel on the present connection. */
  boolean restated;

  /** Counts as one of the channels that the opener has live. */
  private boolean live = true;

  /** In the lane's list of flows with something due. */
  boolean dirty;

  Flow nextDirty;

  long deadline = Lane.NEVER;
  int heapIndex = -1;

  /** The terminal that this side keeps until it is confirmed: the code and text of a RESET. */
  ErrorCode resetCode;

  String resetText = "";

  Flow(LaneCore lane, int number, ChannelKey key, boolean opener) {
    this.lane = lane;
    this.number = number;
    this.key = key;
    this.opener = opener;
  }

  /**
   * The channel's identity.
   *
   * @return the key
   */
  public final ChannelKey key() {
    return key;
  }

  /**
   * The channel's number on its lane.
   *
   * @return u32
   */
  public final int number() {
    return number;
  }

  /** What this side is on the channel. */
  abstract Role role();

  /** Whether this end only waits for its terminal to be confirmed. */
  abstract boolean terminal();

  /** Whether this end must be restated by the peer after a reconnect, or fail. */
  abstract boolean expectsRestating();

  /** Writes OPEN or OPENED with this side's state. */
  abstract void writeOpen(Frames out);

  /** Writes what is due, except OPEN and OPENED. */
  abstract void writeDue(Frames out);

  /** OPEN or OPENED came: the peer's half of the state. */
  abstract void onPeerState(
      long position, long sequence, long backlog, long consumed, long limit, int floor);

  abstract void onReset(ErrorCode code, String text);

  /** The peer has this side's terminal. */
  abstract void onClosed();

  abstract void onDeadline();

  /** The peer came back and did not restate the channel. */
  abstract void onForgotten();

  /** The lane is dead: report if that has not happened, and let go of everything. */
  abstract void onLaneDead(ErrorCode code, String text);

  /** A new connection is up: what must be said again. */
  abstract void onLaneUp();

  /** From now on this end only waits for a confirmation, or is over. */
  final void notLive() {
    if (live) {
      live = false;
      lane.notLive(this);
    }
  }

  /** Sets due bits and has the lane write them. */
  final void owe(int bits) {
    due |= bits;
    lane.dirty(this);
  }

  /** Writes OPEN, or OPENED if the peer opened the channel. */
  final void writeState(
      Frames out,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    long exchange = key.exchange();
    int producer = key.producer();
    int consumer = key.consumer();
    int attempt = key.attempt();
    if (opener) {
      out.open(
          number, role(), exchange, producer, consumer, attempt, position, sequence, backlog,
          consumed, limit, floor);
    } else {
      out.opened(
          number, role(), exchange, producer, consumer, attempt, position, sequence, backlog,
          consumed, limit, floor);
    }
  }

  final void writeReset(Frames out) {
    out.reset(number, resetCode, resetText);
  }
}

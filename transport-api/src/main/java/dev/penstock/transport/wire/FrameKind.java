package dev.penstock.transport.wire;

/**
 * Numbers of the kinds of frame, as they stand in {@link CanonicalFields}; a codec may use them as
 * its template ids. Released numbers never change. 17 is reserved for a signal that overtakes data.
 */
public final class FrameKind {
  /** {@link Frames#hello}. */
  public static final int HELLO = 1;

  /** {@link Frames#welcome}. */
  public static final int WELCOME = 2;

  /** {@link Frames#proof}. */
  public static final int PROOF = 3;

  /** {@link Frames#open}. */
  public static final int OPEN = 4;

  /** {@link Frames#opened}. */
  public static final int OPENED = 5;

  /** {@link Frames#ready}. */
  public static final int READY = 6;

  /** {@link Frames#data}. */
  public static final int DATA = 7;

  /** {@link Frames#demand}. */
  public static final int DEMAND = 8;

  /** {@link Frames#credit}. */
  public static final int CREDIT = 9;

  /** {@link Frames#finish}. */
  public static final int FINISH = 10;

  /** {@link Frames#finishAck}. */
  public static final int FINISH_ACK = 11;

  /** {@link Frames#reset}. */
  public static final int RESET = 12;

  /** {@link Frames#closed}. */
  public static final int CLOSED = 13;

  /** {@link Frames#ping}. */
  public static final int PING = 14;

  /** {@link Frames#pong}. */
  public static final int PONG = 15;

  /** {@link Frames#goAway}. */
  public static final int GOAWAY = 16;

  private FrameKind() {}
}

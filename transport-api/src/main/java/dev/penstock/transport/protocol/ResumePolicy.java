package dev.penstock.transport.protocol;

/**
 * How long a broken lane may be resumed: until a window has passed since it broke, and not after
 * {@value #MAX_BARREN_RESUMES} resumes in a row that broke again without progress.
 *
 * <p>Progress is a position that moved (received or acknowledged); on a lane where nothing waits to
 * be sent or received, the first PONG. Attempts that never reach trust are not counted: the window
 * ends those. Times are in nanoseconds of any clock that does not go back, compared by difference.
 * Not thread safe.
 */
public final class ResumePolicy {
  /** So many resumes without progress end the session. */
  public static final int MAX_BARREN_RESUMES = 3;

  private enum State {
    /** Never connected. */
    UNCONNECTED,
    /** On the first connection: when that breaks, no resume has been in vain. */
    FIRST,
    BROKEN,
    RESUMED,
    PROGRESSED
  }

  private final long windowNanos;
  private State state = State.FIRST;
  private int barrenResumes;
  private long deadlineNanos;

  /**
   * For a lane that is connected for the first time.
   *
   * @param windowNanos how long a broken lane waits; for an acceptor see {@link #acceptorWindow}
   * @throws IllegalArgumentException if it is negative
   */
  public ResumePolicy(long windowNanos) {
    if (windowNanos < 0) {
      throw new IllegalArgumentException("resumeWindow: expected 0 or more, got " + windowNanos);
    }
    this.windowNanos = windowNanos;
  }

  /**
   * The acceptor's window: it waits longer by twice the silence limit, for it may notice the break
   * that much earlier than the dialer.
   *
   * @param windowNanos the resume window
   * @param silenceNanos the silence limit
   * @return their sum, as far as it can be expressed
   */
  public static long acceptorWindow(long windowNanos, long silenceNanos) {
    long room = Long.MAX_VALUE - windowNanos;
    return silenceNanos > room / 2 ? Long.MAX_VALUE : windowNanos + 2 * silenceNanos;
  }

  /**
   * There is no connection yet, and the window runs for the first one. Only right after creation.
   *
   * @param nowNanos the time
   */
  public void awaitFirst(long nowNanos) {
    state = State.UNCONNECTED;
    deadlineNanos = nowNanos + windowNanos;
  }

  /**
   * The connection broke. Starts the window; without effect when it is broken already.
   *
   * @param nowNanos the time
   */
  public void broken(long nowNanos) {
    if (isBroken()) {
      return;
    }
    if (state == State.RESUMED) {
      barrenResumes++;
    }
    state = State.BROKEN;
    deadlineNanos = nowNanos + windowNanos;
  }

  /** A handshake of the broken lane led to trust: the window stops. */
  public void resumed() {
    if (isBroken()) {
      state = state == State.UNCONNECTED ? State.FIRST : State.RESUMED;
    }
  }

  /** The lane carried something. Without effect while it is broken. */
  public void progress() {
    if (!isBroken()) {
      state = State.PROGRESSED;
      barrenResumes = 0;
    }
  }

  /**
   * Whether the session is lost.
   *
   * @param nowNanos the time
   * @return true when the lane is broken and may not be resumed any more
   */
  public boolean isLost(long nowNanos) {
    return isBroken() && (barrenResumes >= MAX_BARREN_RESUMES || nowNanos - deadlineNanos >= 0);
  }

  /**
   * Whether the window runs.
   *
   * @return true between {@link #broken} or {@link #awaitFirst} and {@link #resumed}
   */
  public boolean isBroken() {
    return state == State.BROKEN || state == State.UNCONNECTED;
  }

  /**
   * When the window ends.
   *
   * @return the time; without meaning unless {@link #isBroken}
   */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /**
   * How many resumes in a row brought no progress.
   *
   * @return 0 to {@value #MAX_BARREN_RESUMES}
   */
  public int barrenResumes() {
    return barrenResumes;
  }
}

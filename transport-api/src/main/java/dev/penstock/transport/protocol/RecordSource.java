package dev.penstock.transport.protocol;

/**
 * Where a sending channel's records lie: the port through which {@code SendFlow} sees the append
 * log. The shell implements it over memory, the simulator over a model. Called on the lane's thread
 * only.
 *
 * <p>Positions count record bytes (head and body) from the start of the channel, without gaps.
 */
public interface RecordSource {
  /**
   * How far the application has committed. A level: it may be asked at any time and never goes
   * back.
   *
   * @return position behind the last committed record
   */
  long committedPosition();

  /**
   * How many records the application has committed.
   *
   * @return sequence behind the last committed record
   */
  long committedSequence();

  /**
   * Finds what to send next. Takes as many whole records from {@code position} as fit into {@code
   * maxLength}. If the first does not fit, or {@code position} lies inside a record, takes a piece
   * of it when the record may be cut: when the whole record is longer than {@code pieceLength}, and
   * then at least {@code min(rest, pieceLength)} bytes of it. A piece never shares a frame with
   * other records.
   *
   * @param position where to start; committed, and not yet acknowledged
   * @param maxLength most bytes to take: what credit, frame length and the turn's quantum allow
   * @param pieceLength smallest piece of a record, and the longest record that is never cut
   * @param cut filled in when the answer is true
   * @return false when nothing can be taken within {@code maxLength}
   */
  boolean cut(long position, int maxLength, int pieceLength, FrameCut cut);

  /**
   * Everything committed has been sent: from now on a commit must make the shell call {@link
   * Lane#committed}. Sources whose owner calls that after each commit need nothing.
   *
   * @return false if more was committed meanwhile, so that sending goes on
   */
  default boolean tryIdle() {
    return true;
  }

  /**
   * The receiver has everything before a position: its memory may be reused once no write refers to
   * it.
   *
   * @param position never goes back
   */
  void acknowledged(long position);

  /**
   * The channel is over: everything may be freed, and what the application still appends is to be
   * refused. Called once.
   */
  void release();
}

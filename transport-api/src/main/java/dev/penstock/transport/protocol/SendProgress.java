package dev.penstock.transport.protocol;

/**
 * How far a sending channel is: what it has sent, what the receiver has of it, and up to where it
 * may go on. What the receiver says is checked here before it counts.
 */
final class SendProgress {
  /** Position and sequence behind what was sent on the present connection. */
  long sent;

  long sentSequence;

  /** What the receiver has; never lowered. */
  long acknowledged;

  /** Up to where the receiver lets the sender send; never lowered. */
  long limit;

  /** Credit that the channel always gets back; 0 until the receiver has said it. */
  int floor;

  /** The most that was ever sent: beyond it is new, before it is a retransmission. */
  private long highestSent;

  /** Whether the receiver's half of the state can be true. */
  boolean isPossible(
      long received, long receivedSequence, long consumed, long newLimit, int newFloor) {
    return isPossible(received, consumed, newLimit, newFloor)
        && receivedSequence <= sentSequence
        && newFloor > 0
        && (floor == 0 || newFloor == floor);
  }

  /** Whether a CREDIT can be true. */
  boolean isPossible(long received, long consumed, long newLimit) {
    return isPossible(received, consumed, newLimit, floor);
  }

  private boolean isPossible(long received, long consumed, long newLimit, int withFloor) {
    return received >= acknowledged
        && received <= sent
        && consumed >= 0
        && consumed <= received
        && newLimit >= limit
        && newLimit >= consumed + withFloor;
  }

  /** After a connection came up: goes on where the receiver stands; returns what it has not got. */
  long restart(long received, long receivedSequence, long newLimit, int newFloor) {
    sent = received;
    sentSequence = receivedSequence;
    limit = newLimit;
    floor = newFloor;
    return Math.max(0, highestSent - received);
  }

  /** A frame goes out. */
  void sent(int length, int messages, LaneStats stats) {
    stats.dataFramesSent++;
    stats.payloadBytesSent += length;
    if (sent < highestSent) {
      stats.retransmittedFrames++;
    }
    sent += length;
    sentSequence += messages;
    highestSent = Math.max(highestSent, sent);
  }

  /** For errors. */
  @Override
  public String toString() {
    return "sender stands at "
        + sent
        + " with "
        + acknowledged
        + " acknowledged and limit "
        + limit;
  }
}

package dev.penstock.transport.wire;

/** What the speaker of a frame is on the frame's channel. */
public enum Role {
  /** It sends records. */
  SENDER(0),
  /** It receives records. */
  RECEIVER(1);

  private final int number;

  Role(int number) {
    this.number = number;
  }

  /**
   * The number on the wire.
   *
   * @return 0 or 1
   */
  public int number() {
    return number;
  }

  /**
   * The other end's role.
   *
   * @return the opposite
   */
  public Role opposite() {
    return this == SENDER ? RECEIVER : SENDER;
  }
}

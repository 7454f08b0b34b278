package dev.penstock.transport.wire;

/**
 * The bytes are not a frame: truncated, out of range, or damaged. It breaks the connection, not the
 * session: the lane resumes.
 */
public final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Creates one.
   *
   * @param message what was expected and what came
   */
  public MalformedFrameException(String message) {
    super(message);
  }
}

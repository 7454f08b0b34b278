package dev.penstock.transport;

import java.nio.ByteBuffer;

/**
 * Room for one message in an {@link OutputGate}'s log, to be written in place. Made once by the
 * application and used for every claim. After a successful {@link OutputGate#tryClaim}, exactly one
 * of {@link #commit} and {@link #abort} must follow before anything else is done with the gate.
 *
 * <p>Confined to the gate's thread.
 */
public final class MessageClaim {
  private ByteBuffer buffer;
  private Target target;

  /** What a claim commits to; implemented by transports. */
  public interface Target {
    /** Publishes the claimed message. */
    void commitClaim();

    /** Gives the claimed room back. */
    void abortClaim();
  }

  /** Creates an empty one. */
  public MessageClaim() {}

  /**
   * Binds the claim; called by transports only.
   *
   * @param room where the message goes, from position to limit
   * @param to what to commit to
   */
  public void bind(ByteBuffer room, Target to) {
    buffer = room;
    target = to;
  }

  /**
   * Where the message goes: exactly the claimed length, from position to limit, direct, big-endian
   * unless changed.
   *
   * @return the room, valid until the claim is committed or aborted
   */
  public ByteBuffer buffer() {
    if (target == null) {
      throw new IllegalStateException("no claim is open: call tryClaim first and check its result");
    }
    return buffer;
  }

  /** Publishes the message: all claimed bytes, whatever the buffer's position. */
  public void commit() {
    take().commitClaim();
  }

  /** Gives the room back; nothing is sent. */
  public void abort() {
    take().abortClaim();
  }

  private Target take() {
    if (target == null) {
      throw new IllegalStateException("no claim is open: call tryClaim first and check its result");
    }
    Target taken = target;
    target = null;
    buffer = null;
    return taken;
  }
}

package dev.penstock.transport.wire;

import java.nio.ByteBuffer;

/**
 * Writes frames: each call of a {@link Frames} method appends one frame, {@link Sofh} and field CRC
 * (see {@link CanonicalFields}) included, at the bound buffer's position and advances it. For
 * {@link Frames#data} it writes everything but the payload, with the payload counted in the SOFH's
 * length; the caller puts the payload behind it.
 *
 * <p>Throws {@link java.nio.BufferOverflowException} when the buffer has less room than the frame
 * needs ({@link WireLimits#MAX_HEADER_BYTES} is always enough), and {@link
 * IllegalArgumentException} for a value that its field cannot carry: a u16 out of range, a nonce
 * that has not {@link WireLimits#NONCE_BYTES} bytes, a proof longer than {@link
 * WireLimits#PROOF_BYTES}, unknown flags, a negative payload length. The position is unchanged
 * then. Texts that are too long are cut as {@link WireText} says. Allocates nothing for frames
 * other than those with text or of the handshake. Not thread safe.
 */
public interface FrameEncoder extends Frames {
  /**
   * Binds the target of the frames that follow. The encoder reads and moves its position and may
   * set its byte order.
   *
   * @param target a heap or direct buffer, owned by the caller, used until the next call
   */
  void bind(ByteBuffer target);
}

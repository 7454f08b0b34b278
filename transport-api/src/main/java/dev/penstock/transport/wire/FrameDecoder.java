package dev.penstock.transport.wire;

import java.nio.ByteBuffer;

/**
 * Reads one frame at a time and calls the matching method of a {@link Frames}. Allocates nothing
 * for frames other than those with text or of the handshake. Not thread safe.
 */
public interface FrameDecoder {
  /**
   * Reads one complete frame. The caller has checked that the SOFH's encoding type is the codec's,
   * that the length is within limits and that {@code length} bytes are there. The buffer's
   * position, limit and content are unchanged on return, its byte order may be set.
   *
   * <p>Malformed is every frame whose SOFH states another length or encoding type, whose fields end
   * before or, with the payload, not at the frame's end, or which carries a text, octets, flags, a
   * boolean or a role out of range. An error code that is not known here reads as {@link
   * dev.penstock.transport.ErrorCode#INTERNAL}. Numbers are not judged: whether a position or
   * length makes sense is for the machines to say.
   *
   * <p>The agreed version fixes which kinds of frame may come, so an unknown kind is damage and
   * malformed. Fields that a newer peer appended are skipped; the field CRC covers the fields that
   * {@link CanonicalFields} names. For DATA the payload is the frame's last {@code payloadLength}
   * bytes.
   *
   * @param source the bytes
   * @param index where the frame's {@link Sofh} starts
   * @param length the frame's length, SOFH and payload included
   * @param frames what to call; exceptions it throws pass through
   * @throws MalformedFrameException if the bytes are not a frame of this codec or the field CRC
   *     does not match; nothing was called then
   */
  void decode(ByteBuffer source, int index, int length, Frames frames)
      throws MalformedFrameException;
}

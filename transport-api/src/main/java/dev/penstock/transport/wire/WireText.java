package dev.penstock.transport.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Texts as they stand in frames: UTF-8, never longer than a limit. Used by codecs and by {@link
 * CanonicalFields}, so that both cut a long text at the same place.
 */
public final class WireText {
  private WireText() {}

  /**
   * Encodes a text and cuts it, where it is too long, in front of the code point that does not fit.
   *
   * @param text any text; a lone surrogate becomes {@code ?}
   * @param maxBytes most bytes, at least 0
   * @return its bytes in UTF-8, at most {@code maxBytes}, a new array
   */
  public static byte[] encode(String text, int maxBytes) {
    // Every char makes at least one byte, so what lies behind maxBytes + 1 chars cannot matter.
    String head = text.length() > maxBytes + 1 ? text.substring(0, maxBytes + 1) : text;
    byte[] bytes = head.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= maxBytes) {
      return bytes;
    }
    int end = maxBytes;
    while (end > 0 && isContinuation(bytes[end])) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }

  /**
   * Decodes a text that came in a frame. Strict, because a lenient decoder turns some damaged bytes
   * into the same U+FFFD that the sender wrote, and the field CRC over the text sees no difference.
   *
   * @param utf8 the bytes; not kept
   * @return the text
   * @throws MalformedFrameException when the bytes are not UTF-8
   */
  public static String decode(byte[] utf8) throws MalformedFrameException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFrameException(
          "text: expected UTF-8, got other bytes among these " + utf8.length);
    }
  }

  private static boolean isContinuation(byte value) {
    return (value & 0xC0) == 0x80;
  }
}

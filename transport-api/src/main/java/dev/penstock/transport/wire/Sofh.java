package dev.penstock.transport.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The FIX Simple Open Framing Header that starts every frame: the frame's length (u32, this header
 * included) and the encoding type (u16), both big-endian whatever the codec's own byte order.
 *
 * @see <a href="https://www.fixtrading.org/standards/fix-simple-open-framing-header/">FIX SOFH</a>
 */
public final class Sofh {
  /** Bytes of the header. */
  public static final int LENGTH = 6;

  private static final int TYPE_OFFSET = 4;

  private Sofh() {}

  /**
   * Writes the header at an absolute index.
   *
   * @param buffer target, in any byte order, which is left as it was
   * @param index where the frame starts
   * @param frameLength the whole frame's length, header and payload included
   * @param encodingType the codec's number
   */
  public static void put(ByteBuffer buffer, int index, int frameLength, int encodingType) {
    boolean little = buffer.order() == ByteOrder.LITTLE_ENDIAN;
    buffer.putInt(index, little ? Integer.reverseBytes(frameLength) : frameLength);
    short type = (short) encodingType;
    buffer.putShort(index + TYPE_OFFSET, little ? Short.reverseBytes(type) : type);
  }

  /**
   * Reads the frame's length.
   *
   * @param buffer source with at least {@value #LENGTH} bytes from {@code index}
   * @param index where the frame starts
   * @return the length as an unsigned number; check it before allocating anything
   */
  public static long frameLength(ByteBuffer buffer, int index) {
    int raw = buffer.getInt(index);
    int length = buffer.order() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(raw) : raw;
    return Integer.toUnsignedLong(length);
  }

  /**
   * Reads the encoding type.
   *
   * @param buffer source with at least {@value #LENGTH} bytes from {@code index}
   * @param index where the frame starts
   * @return the codec's number, 0 to 65535
   */
  public static int encodingType(ByteBuffer buffer, int index) {
    short raw = buffer.getShort(index + TYPE_OFFSET);
    short type = buffer.order() == ByteOrder.LITTLE_ENDIAN ? Short.reverseBytes(raw) : raw;
    return Short.toUnsignedInt(type);
  }
}

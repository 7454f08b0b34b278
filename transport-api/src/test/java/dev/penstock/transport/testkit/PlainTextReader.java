package dev.penstock.transport.testkit;

import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.WireText;
import java.nio.ByteBuffer;

/**
 * Reads one line from left to right and takes only what {@link PlainTextEncoder} may have written.
 */
final class PlainTextReader {
  private static final int LONGEST_WORD = 20;

  private ByteBuffer source = ByteBuffer.allocate(0);
  private int next;
  private int end;

  void start(ByteBuffer source, int from, int end) {
    this.source = source;
    this.next = from;
    this.end = end;
  }

  String word() throws MalformedFrameException {
    StringBuilder word = new StringBuilder();
    while (next < end && isLetter(source.get(next))) {
      if (word.length() == LONGEST_WORD) {
        throw malformed("at most " + LONGEST_WORD + " letters");
      }
      word.append((char) source.get(next++));
    }
    return word.toString();
  }

  int u16(String name) throws MalformedFrameException {
    return (int) unsigned(name, 0xFFFF);
  }

  int u32(String name) throws MalformedFrameException {
    return (int) unsigned(name, 0xFFFF_FFFFL);
  }

  long u64(String name) throws MalformedFrameException {
    return unsigned(name, -1L);
  }

  boolean flag(String name) throws MalformedFrameException {
    return either(name, "no", "yes");
  }

  /** Whether the second of two words stands there. */
  boolean either(String name, String first, String second) throws MalformedFrameException {
    field(name);
    String word = word();
    if (!word.equals(first) && !word.equals(second)) {
      throw malformed(first + " or " + second + " as " + name);
    }
    return word.equals(second);
  }

  int hexInt(String name) throws MalformedFrameException {
    field(name);
    int value = 0;
    for (int digit = 0; digit < 2 * Integer.BYTES; digit++) {
      value = value << 4 | hexDigit();
    }
    return value;
  }

  Octets octets(String name, int maxBytes) throws MalformedFrameException {
    field(name);
    byte[] bytes = new byte[maxBytes];
    int length = 0;
    while (next < end && isHexDigit(source.get(next))) {
      if (length == maxBytes) {
        throw malformed("at most " + maxBytes + " bytes as " + name);
      }
      bytes[length++] = (byte) (hexDigit() << 4 | hexDigit());
    }
    return Octets.copyOf(java.util.Arrays.copyOf(bytes, length));
  }

  String text(String name, int maxBytes) throws MalformedFrameException {
    int length = (int) unsigned(name, maxBytes);
    take((byte) ':');
    if (length > end - next) {
      throw malformed(length + " bytes as " + name);
    }
    byte[] utf8 = new byte[length];
    for (int i = 0; i < length; i++) {
      utf8[i] = source.get(next++);
    }
    return WireText.decode(utf8);
  }

  /** The line and the frame end here. */
  void end() throws MalformedFrameException {
    take((byte) '\n');
    if (next != end) {
      throw malformed("the end of the frame");
    }
  }

  /** As {@link #end}, after what a newer peer may have added. */
  void skipAppended() throws MalformedFrameException {
    if (skipAppendedBefore() != 0) {
      throw malformed("the end of the frame");
    }
  }

  /** Skips what a newer peer may have added; returns how many bytes follow the line. */
  int skipAppendedBefore() throws MalformedFrameException {
    while (next < end && source.get(next) == ' ') {
      next++;
      while (next < end && source.get(next) > ' ') {
        next++;
      }
    }
    take((byte) '\n');
    return end - next;
  }

  private long unsigned(String name, long most) throws MalformedFrameException {
    field(name);
    int start = next;
    long value = 0;
    while (next < end && isDigit(source.get(next))) {
      int digit = source.get(next++) - '0';
      if (Long.compareUnsigned(value, Long.divideUnsigned(most - digit, 10)) > 0
          || Long.compareUnsigned(digit, most) > 0) {
        throw malformed("at most " + Long.toUnsignedString(most) + " as " + name);
      }
      value = value * 10 + digit;
    }
    boolean padded = next - start > 1 && source.get(start) == '0';
    if (next == start || padded) {
      throw malformed("a number without leading zeros as " + name);
    }
    return value;
  }

  private void field(String name) throws MalformedFrameException {
    take((byte) ' ');
    for (int i = 0; i < name.length(); i++) {
      take((byte) name.charAt(i));
    }
    take((byte) '=');
  }

  private void take(byte expected) throws MalformedFrameException {
    if (next >= end || source.get(next) != expected) {
      throw malformed("byte " + expected);
    }
    next++;
  }

  private int hexDigit() throws MalformedFrameException {
    if (next >= end || !isHexDigit(source.get(next))) {
      throw malformed("a hex digit");
    }
    return Character.digit(source.get(next++), 16);
  }

  private static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  private static boolean isHexDigit(byte value) {
    return isDigit(value) || (value >= 'a' && value <= 'f');
  }

  private static boolean isLetter(byte value) {
    return value >= 'a' && value <= 'z';
  }

  private MalformedFrameException malformed(String expected) {
    String actual = next < end ? "byte " + source.get(next) : "the end";
    return new MalformedFrameException(
        "line at " + (end - next) + " before its end: expected " + expected + ", got " + actual);
  }
}

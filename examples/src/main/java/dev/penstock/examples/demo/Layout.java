package dev.penstock.examples.demo;

import java.nio.ByteBuffer;

/**
 * A record on the wire: when it was due (u64, {@link System#nanoTime()}), its number within its
 * channel (u64), and a line of text.
 */
final class Layout {
  static final int DUE = 0;
  static final int NUMBER = 8;
  static final int TEXT = 16;

  private Layout() {}

  static void write(ByteBuffer room, long due, long number, byte[] text, int offset, int length) {
    room.putLong(due).putLong(number).put(text, offset, length);
  }
}

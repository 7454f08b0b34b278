package dev.penstock.transport.protocol;

import java.util.Arrays;

/** Numbers of forgotten channels whose terminals came again and are to be answered with CLOSED. */
final class ClosedAnswers {
  /** A well-behaved peer has far fewer terminals unconfirmed than this. */
  private static final int MAX = 1 << 16;

  private int[] numbers = new int[8];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns false when there are so many that the peer must be misbehaving. */
  boolean add(int number) {
    if (size == MAX) {
      return false;
    }
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, size * 2);
    }
    numbers[size++] = number;
    return true;
  }

  void write(FrameSink out) {
    while (size > 0 && out.hasRoom()) {
      out.frames().closed(numbers[--size]);
    }
  }

  void clear() {
    size = 0;
  }
}

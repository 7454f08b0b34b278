package dev.penstock.transport.testkit.sim;

import java.util.Arrays;

/**
 * One direction of a connection. A byte is first pending in the writer's process, then in the
 * writer's socket buffer, then in the reader's, then read; both buffers are bounded.
 */
final class Pipe {
  private final int sendBuffer;
  private final int receiveBuffer;
  private byte[] ring = new byte[4096];
  private long produced;
  private long taken;
  private long moved;
  private long read;

  Pipe(int sendBuffer, int receiveBuffer) {
    this.sendBuffer = sendBuffer;
    this.receiveBuffer = receiveBuffer;
  }

  void produce(byte[] source, int offset, int length) {
    if (produced - read + length > ring.length) {
      grow(length);
    }
    int at = (int) (produced & ring.length - 1);
    int first = Math.min(length, ring.length - at);
    System.arraycopy(source, offset, ring, at, first);
    System.arraycopy(source, offset + first, ring, 0, length - first);
    produced += length;
  }

  private void grow(int length) {
    byte[] old = ring;
    int capacity = old.length;
    while (capacity < produced - read + length) {
      capacity *= 2;
    }
    ring = new byte[capacity];
    for (long i = read; i < produced; i++) {
      ring[(int) (i & capacity - 1)] = old[(int) (i & old.length - 1)];
    }
  }

  /** The socket takes what it has room for; returns how many bytes. */
  long take() {
    long now = Math.min(produced, moved + sendBuffer);
    long progress = Math.max(0, now - taken);
    taken += progress;
    return progress;
  }

  /** Bytes that wait in the writer's process. */
  long pending() {
    return produced - taken;
  }

  /** Bytes that can move to the reader's buffer now. */
  int movable() {
    return (int) Math.min(taken - moved, receiveBuffer - (moved - read));
  }

  void move(int bytes) {
    moved += bytes;
  }

  /** Damages one of the bytes that move next. */
  void flip(int offset, int bit) {
    ring[(int) (moved + offset & ring.length - 1)] ^= (byte) (1 << bit);
  }

  int readable() {
    return (int) (moved - read);
  }

  void read(byte[] target, int offset, int length) {
    int at = (int) (read & ring.length - 1);
    int first = Math.min(length, ring.length - at);
    System.arraycopy(ring, at, target, offset, first);
    System.arraycopy(ring, 0, target, offset + first, length - first);
    read += length;
  }

  /** What has not reached the reader's buffer is lost. */
  void loseUnmoved() {
    produced = moved;
    taken = moved;
  }

  boolean isDrained() {
    return produced == moved;
  }

  long moved() {
    return moved;
  }

  long produced() {
    return produced;
  }

  int capacity() {
    return ring.length;
  }

  @Override
  public String toString() {
    return Arrays.toString(new long[] {produced, taken, moved, read});
  }
}

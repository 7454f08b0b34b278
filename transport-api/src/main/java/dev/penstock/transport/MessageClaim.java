package dev.penstock.transport;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Room for one message in an {@link OutputGate}'s log, to be written in place. Made once by the
 * application and used for every claim. After a successful {@link OutputGate#tryClaim}, exactly one
 * of {@link #commit} and {@link #abort} must follow before anything else is done with the gate;
 * writing and finishing throw {@link IllegalStateException} until then. A claim keeps its memory
 * even when the gate is closed, so end it whatever happens.
 *
 * <p>Two ways to write: the {@code put} methods allocate nothing; {@link #buffer} hands out a
 * buffer, which is an object for each message whose buffer is asked for. Numbers are big-endian.
 * What is not written holds whatever the memory held before.
 *
 * <p>Confined to the gate's thread.
 */
public final class MessageClaim {
  private ByteBuffer memory;
  private int offset;
  private int length;
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
   * @param room memory around the message's place, big-endian; its position and limit do not matter
   *     and are not moved
   * @param start index of the message's first byte
   * @param bytes its length
   * @param to what to commit to
   * @throws IllegalStateException if it is bound already
   */
  public void bind(ByteBuffer room, int start, int bytes, Target to) {
    if (target != null) {
      throw new IllegalStateException(
          "this object's last claim is open: commit or abort it first, or use one object for each");
    }
    memory = room;
    offset = start;
    length = bytes;
    target = to;
  }

  /**
   * The claimed length.
   *
   * @return bytes
   */
  public int length() {
    requireOpen();
    return length;
  }

  /**
   * Where the message goes: exactly the claimed length, from position to limit, direct, big-endian
   * unless changed. The same object until the claim ends.
   *
   * @return the room, valid until the claim is committed or aborted
   */
  public ByteBuffer buffer() {
    requireOpen();
    if (buffer == null) {
      buffer = memory.slice(offset, length);
    }
    return buffer;
  }

  /**
   * Writes one byte.
   *
   * @param index where in the message, from 0
   * @param value what
   * @throws IndexOutOfBoundsException if it does not fit the claimed length
   */
  public void putByte(int index, byte value) {
    memory.put(at(index, Byte.BYTES), value);
  }

  /**
   * Writes four bytes, big-endian.
   *
   * @param index where in the message, from 0
   * @param value what
   * @throws IndexOutOfBoundsException if it does not fit the claimed length
   */
  public void putInt(int index, int value) {
    memory.putInt(at(index, Integer.BYTES), value);
  }

  /**
   * Writes eight bytes, big-endian.
   *
   * @param index where in the message, from 0
   * @param value what
   * @throws IndexOutOfBoundsException if it does not fit the claimed length
   */
  public void putLong(int index, long value) {
    memory.putLong(at(index, Long.BYTES), value);
  }

  /**
   * Copies bytes in.
   *
   * @param index where in the message, from 0
   * @param source all of it is copied
   * @throws IndexOutOfBoundsException if it does not fit the claimed length
   */
  public void putBytes(int index, byte[] source) {
    memory.put(at(index, source.length), source);
  }

  /**
   * Copies bytes in.
   *
   * @param index where in the message, from 0
   * @param source where they are
   * @param from index of the first
   * @param count how many
   * @throws IndexOutOfBoundsException if they do not fit the claimed length or are not in the
   *     source
   */
  public void putBytes(int index, byte[] source, int from, int count) {
    memory.put(at(index, count), source, from, count);
  }

  /**
   * Copies bytes in.
   *
   * @param index where in the message, from 0
   * @param source what remains in it is copied; its position does not move
   * @throws IndexOutOfBoundsException if they do not fit the claimed length
   */
  public void putBytes(int index, ByteBuffer source) {
    int count = source.remaining();
    memory.put(at(index, count), source, source.position(), count);
  }

  private int at(int index, int count) {
    requireOpen();
    return offset + Objects.checkFromIndexSize(index, count, length);
  }

  /** Publishes the message: all claimed bytes, whatever has been written. */
  public void commit() {
    take().commitClaim();
  }

  /** Gives the room back; nothing is sent. */
  public void abort() {
    take().abortClaim();
  }

  private Target take() {
    requireOpen();
    Target taken = target;
    target = null;
    memory = null;
    buffer = null;
    return taken;
  }

  private void requireOpen() {
    if (target == null) {
      throw new IllegalStateException("no claim is open: call tryClaim first and check its result");
    }
  }
}

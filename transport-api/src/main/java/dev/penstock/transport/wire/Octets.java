package dev.penstock.transport.wire;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * An immutable string of bytes: a nonce or a proof. Two are compared in a time that does not depend
 * on their content, and {@link #toString} never shows it.
 */
public final class Octets {
  /** No bytes. */
  public static final Octets EMPTY = new Octets(new byte[0]);

  private final byte[] bytes;

  private Octets(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Copies bytes.
   *
   * @param bytes source; not kept
   * @return the octets
   */
  public static Octets copyOf(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Octets(bytes.clone());
  }

  /**
   * How many bytes.
   *
   * @return the length
   */
  public int length() {
    return bytes.length;
  }

  /**
   * The bytes.
   *
   * @return a copy
   */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Octets that && MessageDigest.isEqual(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Octets[" + bytes.length + "]";
  }
}

package dev.penstock.transport;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A secret that nodes share and prove to each other without sending it. Immutable; never shown by
 * {@link #toString}.
 */
public final class NodeSecret {
  /** Fewest bytes: 128 bits, and they should be random. */
  public static final int MIN_BYTES = 16;

  private final byte[] bytes;

  private NodeSecret(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Copies a secret.
   *
   * @param bytes at least {@value #MIN_BYTES}, random
   * @return the secret
   */
  public static NodeSecret of(byte[] bytes) {
    Check.range("length of sharedSecret", bytes.length, MIN_BYTES, 4096);
    return new NodeSecret(bytes.clone());
  }

  /**
   * A secret that is kept as text.
   *
   * @param text at least {@value #MIN_BYTES} bytes of UTF-8, random
   * @return the secret
   */
  public static NodeSecret ofText(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The bytes; for transports.
   *
   * @return a copy
   */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeSecret that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "NodeSecret[hidden]";
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.Octets;

/** The secret that both nodes are configured with, or {@link #NONE}. Immutable; never printed. */
public final class SharedSecret {
  /**
   * The shortest secret, in bytes. They should be random: a secret of this length holds 128 bits.
   */
  public static final int MIN_BYTES = 16;

  /** No authentication: proofs are empty. */
  public static final SharedSecret NONE = new SharedSecret(Octets.EMPTY);

  private final Octets key;

  private SharedSecret(Octets key) {
    this.key = key;
  }

  /**
   * A secret.
   *
   * @param bytes at least {@value #MIN_BYTES} random bytes; copied
   * @return the secret
   * @throws IllegalArgumentException if there are fewer
   */
  public static SharedSecret of(byte[] bytes) {
    if (bytes.length < MIN_BYTES) {
      throw new IllegalArgumentException(
          "sharedSecret: expected at least " + MIN_BYTES + " random bytes, got " + bytes.length);
    }
    return new SharedSecret(Octets.copyOf(bytes));
  }

  /**
   * Whether there is one.
   *
   * @return false for {@link #NONE}
   */
  public boolean isPresent() {
    return key.length() > 0;
  }

  Octets key() {
    return key;
  }

  @Override
  public String toString() {
    return isPresent() ? "SharedSecret[set]" : "SharedSecret[none]";
  }
}

package dev.penstock.transport.wire;

/** Sizes that are part of the protocol, in bytes. */
public final class WireLimits {
  /** A nonce of HELLO or WELCOME. */
  public static final int NONCE_BYTES = 32;

  /** A proof: HMAC-SHA-256, or empty without a scheme. */
  public static final int PROOF_BYTES = 32;

  /** A node's name in UTF-8. */
  public static final int MAX_NAME_BYTES = 255;

  /** The text of RESET and GOAWAY in UTF-8. */
  public static final int MAX_TEXT_BYTES = 512;

  /** Everything that one side may say before both proofs hold. */
  public static final int MAX_HANDSHAKE_BYTES = 1024;

  /** Every frame without its payload fits in this many bytes, in every codec. */
  public static final int MAX_HEADER_BYTES = 1024;

  private WireLimits() {}
}

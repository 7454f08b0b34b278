package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.WireLimits;

/**
 * What is particular to one connection that a node accepts. Immutable.
 *
 * @param nonce {@value WireLimits#NONCE_BYTES} random bytes, never used before
 * @param freshSessionHigh high half of the id that a new session gets
 * @param freshSessionLow low half of that id; 128 random bits, not all 0
 * @param serverCertificate SHA-256 of the certificate that this node showed; empty without TLS
 * @param peerCertificate SHA-256 of the certificate that the dialer showed; empty if it showed none
 */
public record AcceptAttempt(
    Octets nonce,
    long freshSessionHigh,
    long freshSessionLow,
    Octets serverCertificate,
    Octets peerCertificate) {
  /**
   * Checks the fields.
   *
   * @param nonce {@value WireLimits#NONCE_BYTES} random bytes
   * @param freshSessionHigh high half of the id that a new session gets
   * @param freshSessionLow low half of that id
   * @param serverCertificate SHA-256 of the certificate that this node showed
   * @param peerCertificate SHA-256 of the certificate that the dialer showed
   * @throws IllegalArgumentException if the id is 0 or a length is wrong
   */
  public AcceptAttempt {
    Transcript.checkNonce(nonce);
    if (!NodeIdentity.isId(freshSessionHigh, freshSessionLow)) {
      throw new IllegalArgumentException("fresh session id: expected 128 random bits, got 0");
    }
    Transcript.checkDigest("server certificate hash", serverCertificate);
    Transcript.checkDigest("peer certificate hash", peerCertificate);
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.Octets;

/**
 * What each side keeps of a session so that a broken lane can resume and a further lane can join.
 * Immutable; never prints the key.
 *
 * @param idHigh high half of the session id
 * @param idLow low half of the session id; the two halves are not both 0
 * @param key the session key; empty without a scheme
 * @param peer the node at the other end
 * @param peerCertificate SHA-256 of the certificate that the peer showed; empty if it showed none
 */
public record KnownSession(
    long idHigh, long idLow, Octets key, NodeIdentity peer, Octets peerCertificate) {
  /**
   * Checks the fields.
   *
   * @param idHigh high half of the session id
   * @param idLow low half of the session id
   * @param key the session key
   * @param peer the node at the other end
   * @param peerCertificate SHA-256 of the certificate that the peer showed
   * @throws IllegalArgumentException if the id is 0 or a length is wrong
   */
  public KnownSession {
    if (!NodeIdentity.isId(idHigh, idLow)) {
      throw new IllegalArgumentException("session id: expected 128 random bits, got 0");
    }
    Transcript.checkDigest("session key", key);
    Transcript.checkDigest("peer certificate hash", peerCertificate);
  }
}

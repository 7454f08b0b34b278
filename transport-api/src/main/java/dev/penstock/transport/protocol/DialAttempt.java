package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.WireLimits;
import java.util.Optional;

/**
 * What is particular to one connection that a node dials. Immutable.
 *
 * @param session the session to resume or to join with a further lane; empty for a new one
 * @param expectedNode the only node to accept; empty for any. With a session, its peer is expected
 *     anyway
 * @param lane the lane's number within the session, u16
 * @param epoch the connection's number within the lane, u32, higher than all before
 * @param nonce {@value WireLimits#NONCE_BYTES} random bytes, never used before
 * @param serverCertificate SHA-256 of the certificate that the acceptor showed; empty without TLS
 */
public record DialAttempt(
    Optional<KnownSession> session,
    Optional<NodeIdentity> expectedNode,
    int lane,
    int epoch,
    Octets nonce,
    Octets serverCertificate) {
  /**
   * Checks the fields.
   *
   * @param session the session to resume or to join with a further lane
   * @param expectedNode the only node to accept
   * @param lane the lane's number within the session
   * @param epoch the connection's number within the lane
   * @param nonce {@value WireLimits#NONCE_BYTES} random bytes
   * @param serverCertificate SHA-256 of the certificate that the acceptor showed
   * @throws IllegalArgumentException if the lane is not a u16 or a length is wrong
   */
  public DialAttempt {
    if (lane < 0 || lane > 0xFFFF) {
      throw new IllegalArgumentException("lane: expected 0 to 65535, got " + lane);
    }
    Transcript.checkNonce(nonce);
    Transcript.checkDigest("server certificate hash", serverCertificate);
  }

  /**
   * Asks any node for a new session.
   *
   * @param lane the lane's number within the session, u16
   * @param epoch the connection's number within the lane, u32
   * @param nonce {@value WireLimits#NONCE_BYTES} random bytes
   * @param serverCertificate SHA-256 of the acceptor's certificate; empty without TLS
   * @return the attempt
   */
  public static DialAttempt first(int lane, int epoch, Octets nonce, Octets serverCertificate) {
    return new DialAttempt(
        Optional.empty(), Optional.empty(), lane, epoch, nonce, serverCertificate);
  }

  /**
   * Resumes a lane of a known session, or adds one.
   *
   * @param session the session
   * @param lane the lane's number within the session, u16
   * @param epoch the connection's number within the lane, u32
   * @param nonce {@value WireLimits#NONCE_BYTES} random bytes
   * @param serverCertificate SHA-256 of the acceptor's certificate; empty without TLS
   * @return the attempt
   */
  public static DialAttempt resume(
      KnownSession session, int lane, int epoch, Octets nonce, Octets serverCertificate) {
    return new DialAttempt(
        Optional.of(session), Optional.empty(), lane, epoch, nonce, serverCertificate);
  }
}

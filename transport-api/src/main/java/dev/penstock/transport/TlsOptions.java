package dev.penstock.transport;

import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS for every connection of a {@link Transport}, in both directions. Whether TLS is used is
 * configured on both sides, never negotiated.
 *
 * @param keys this node's certificate and key; needed to accept, and to dial when the peer wants
 *     mutual TLS; may be null on a node that only dials
 * @param trust the certificates that peers' chains must lead to; null for the JVM's default ones
 * @param mutual whether dialers must show a certificate, too
 * @param verifyHostName whether a dialer checks that the acceptor's certificate is for the host
 *     that it dialed
 * @param protocols TLS versions; empty for TLSv1.3 alone
 */
public record TlsOptions(
    KeyManagerFactory keys,
    TrustManagerFactory trust,
    boolean mutual,
    boolean verifyHostName,
    List<String> protocols) {
  /**
   * Copies its arguments.
   *
   * @param keys this node's certificate and key
   * @param trust what peers' chains must lead to
   * @param mutual whether dialers must show a certificate, too
   * @param verifyHostName whether a dialer checks the host name
   * @param protocols TLS versions
   */
  public TlsOptions {
    protocols = protocols.isEmpty() ? List.of("TLSv1.3") : List.copyOf(protocols);
  }

  /**
   * TLS 1.3 with host name verification; dialers need no certificate.
   *
   * @param keys this node's certificate and key, or null
   * @param trust what peers' chains must lead to, or null
   * @return the options
   */
  public static TlsOptions of(KeyManagerFactory keys, TrustManagerFactory trust) {
    return new TlsOptions(keys, trust, false, true, List.of());
  }

  /**
   * TLS 1.3 with host name verification, certificates on both sides.
   *
   * @param keys this node's certificate and key
   * @param trust what peers' chains must lead to
   * @return the options
   */
  public static TlsOptions mutual(KeyManagerFactory keys, TrustManagerFactory trust) {
    return new TlsOptions(keys, trust, true, true, List.of());
  }
}

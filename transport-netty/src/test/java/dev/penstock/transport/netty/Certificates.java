package dev.penstock.transport.netty;

import dev.penstock.transport.TlsOptions;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;

/** A node's certificate, made for the tests, and the authority that its peers trust. */
final class Certificates {
  private static final X509Bundle AUTHORITY = authority("the authority");
  private static final Certificates TRUSTED = new Certificates(node(AUTHORITY, tomorrow()));

  private final X509Bundle node;

  private Certificates(X509Bundle node) {
    this.node = node;
  }

  /** One that peers trust. */
  static Certificates trusted() {
    return TRUSTED;
  }

  /** One that peers trusted until a minute ago. */
  static Certificates expired() {
    return new Certificates(node(AUTHORITY, Instant.now().minusSeconds(60)));
  }

  /** One of an authority that peers do not know. */
  static Certificates foreign() {
    return new Certificates(node(authority("a stranger"), tomorrow()));
  }

  /** Options of a node that shows this certificate. */
  TlsOptions options(boolean mutual) {
    try {
      return new TlsOptions(node.toKeyManagerFactory(), trust(), mutual, true, List.of());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Options of a node that only dials and shows no certificate. */
  static TlsOptions withoutCertificate() {
    return TlsOptions.of(null, trust());
  }

  private static Instant tomorrow() {
    return Instant.now().plus(Duration.ofDays(1));
  }

  private static TrustManagerFactory trust() {
    try {
      return AUTHORITY.toTrustManagerFactory();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static X509Bundle authority(String name) {
    try {
      return new CertificateBuilder()
          .subject("CN=" + name)
          .ecp256()
          .setIsCertificateAuthority(true)
          .notBefore(Instant.now().minus(Duration.ofDays(2)))
          .notAfter(Instant.now().plus(Duration.ofDays(2)))
          .buildSelfSigned();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static X509Bundle node(X509Bundle issuer, Instant notAfter) {
    try {
      return new CertificateBuilder()
          .subject("CN=node")
          .ecp256()
          .addSanDnsName("localhost")
          .addSanIpAddress("127.0.0.1")
          .notBefore(Instant.now().minus(Duration.ofDays(1)))
          .notAfter(notAfter)
          .buildIssuedBy(issuer);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}

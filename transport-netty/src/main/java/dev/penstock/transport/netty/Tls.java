package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.TlsOptions;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.wire.Octets;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** TLS of a transport: what its options become in Netty. */
final class Tls {
  private final SslContext client;

  /** Null when this node has no key and so cannot accept. */
  private final SslContext server;

  private final boolean verifyHostName;
  private final long handshakeMillis;

  Tls(TlsOptions options, long handshakeMillis) {
    this.handshakeMillis = handshakeMillis;
    this.verifyHostName = options.verifyHostName();
    try {
      client =
          SslContextBuilder.forClient()
              .keyManager(options.keys())
              .trustManager(options.trust())
              .protocols(options.protocols())
              .endpointIdentificationAlgorithm(verifyHostName ? "HTTPS" : null)
              .build();
      server =
          options.keys() == null
              ? null
              : SslContextBuilder.forServer(options.keys())
                  .trustManager(options.trust())
                  .protocols(options.protocols())
                  .clientAuth(options.mutual() ? ClientAuth.REQUIRE : ClientAuth.NONE)
                  .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new TransportException(
          ErrorCode.AUTHENTICATION_FAILED, null, "the tls option cannot be used: " + e, e);
    }
  }

  SslHandler forDialer(ByteBufAllocator allocator, InetSocketAddress peer) {
    SslHandler handler = client.newHandler(allocator, peer.getHostString(), peer.getPort());
    handler.setHandshakeTimeout(handshakeMillis, TimeUnit.MILLISECONDS);
    return handler;
  }

  SslHandler forAcceptor(ByteBufAllocator allocator) {
    SslHandler handler = server.newHandler(allocator);
    handler.setHandshakeTimeout(handshakeMillis, TimeUnit.MILLISECONDS);
    return handler;
  }

  /** Throws if this node cannot accept. */
  void checkAcceptor() {
    if (server == null) {
      throw new TransportException(
          ErrorCode.AUTHENTICATION_FAILED,
          "a node that binds needs a certificate: give the tls option keys");
    }
  }

  /** Whether a failed handshake says something about the peer, and not only that it broke. */
  static boolean isVerdict(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException && !(cause instanceof SSLException)) {
        return false;
      }
    }
    return failure instanceof SSLException && !(failure instanceof SslHandshakeTimeoutException);
  }

  /** Whether another handshake would fail as well: a certificate that is refused stays so. */
  static boolean isFinal(Throwable failure) {
    return failure instanceof SSLHandshakeException && isVerdict(failure);
  }

  /** SHA-256 of the certificate that this side showed; empty if none. */
  static Octets ownCertificate(SSLSession session) {
    return hash(session.getLocalCertificates());
  }

  /** SHA-256 of the certificate that the peer showed; empty if none. */
  static Octets peerCertificate(SSLSession session) {
    try {
      return hash(session.getPeerCertificates());
    } catch (SSLPeerUnverifiedException e) {
      return Octets.EMPTY; // the peer showed none, which the context allowed
    }
  }

  private static Octets hash(Certificate[] chain) {
    if (chain == null || chain.length == 0) {
      return Octets.EMPTY;
    }
    try {
      return Octets.copyOf(MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded()));
    } catch (CertificateEncodingException | NoSuchAlgorithmException e) {
      throw new TransportException(
          ErrorCode.INTERNAL, null, "a certificate that TLS accepted cannot be hashed", e);
    }
  }
}

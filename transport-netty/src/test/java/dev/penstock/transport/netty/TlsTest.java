package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.EOFException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class TlsTest {
  @Test
  void shouldTellAVerdictOnThePeerFromAConnectionThatBroke() {
    Throwable certificate = new SSLHandshakeException("no trust");
    certificate.initCause(new CertificateException("expired"));
    assertThat(Tls.isVerdict(certificate)).isTrue();
    assertThat(Tls.isVerdict(new SSLException("alert: bad certificate"))).isTrue();
    assertThat(Tls.isVerdict(new ClosedChannelException())).isFalse();
    assertThat(Tls.isVerdict(new SocketException("reset"))).isFalse();
    assertThat(Tls.isVerdict(new SSLException("while writing", new SocketException("reset"))))
        .isFalse();
    assertThat(Tls.isVerdict(new SslHandshakeTimeoutException("timed out after 5000ms"))).isFalse();
  }

  @Test
  void shouldDialAgainUnlessThePeerCannotBeTrusted() {
    Throwable certificate = new SSLHandshakeException("no trust");
    certificate.initCause(new CertificateException("expired"));
    assertThat(Tls.isFinal(certificate)).isTrue();
    Throwable gone = new SSLHandshakeException("remote host terminated the handshake");
    gone.initCause(new EOFException());
    assertThat(Tls.isFinal(gone)).isFalse();
    assertThat(Tls.isFinal(new SslHandshakeTimeoutException("timed out after 5000ms"))).isFalse();
    assertThat(Tls.isFinal(new SSLException("alert: bad certificate"))).isFalse();
  }
}

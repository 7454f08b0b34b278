package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

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
  }
}

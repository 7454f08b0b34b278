package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.internal.PlatformDependent;
import org.junit.jupiter.api.Test;

/** Who encrypts. The build runs this with and without Netty's native provider. */
class TlsProviderTest {
  @Test
  void shouldTakeTheNativeProviderWhereItIsOnTheClassPath() throws Exception {
    boolean served =
        PlatformDependent.normalizedOs().equals("linux")
            && PlatformDependent.normalizedArch().equals("x86_64");
    boolean expectsNative =
        served && System.getProperty("penstock.expected.tls", "JDK").startsWith("NATIVE");
    Tls tls = new Tls(Certificates.trusted().options(false), 1_000);
    SslHandler handler = tls.forAcceptor(UnpooledByteBufAllocator.DEFAULT);
    try {
      assertThat(handler.engine().getClass().getName().contains("OpenSsl"))
          .isEqualTo(expectsNative);
    } finally {
      ReferenceCountUtil.release(handler.engine());
    }
  }
}

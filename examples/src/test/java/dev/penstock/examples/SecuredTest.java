package dev.penstock.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SecuredTest {
  private static final String PASSWORD = "changeit";
  private static final String SECRET = "a text of more than 16 bytes";

  @TempDir Path directory;

  /** A key store whose certificate is its own authority, made as an operator would. */
  private Path store(String name) throws Exception {
    Path file = directory.resolve(name);
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD,
                "-keypass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return file;
  }

  private static TransportOptions options(Path store, String secret) throws Exception {
    return Secured.options(store, store, PASSWORD.toCharArray(), secret);
  }

  private static String dial(TransportOptions dialer, TransportOptions acceptor) {
    try (Transport accepting = Transport.open(acceptor);
        Transport dialing = Transport.open(dialer)) {
      InetSocketAddress address = accepting.bind(new InetSocketAddress("localhost", 0));
      return dialing.dial(address).join();
    }
  }

  @Test
  void shouldLetNodesTrustEachOtherThatShareAuthorityAndSecret() throws Exception {
    TransportOptions options = options(store("nodes.p12"), SECRET);
    assertThat(dial(options, options)).isEqualTo("node");
  }

  @Test
  void shouldKeepOutWhoHasAnotherSecretOrCertificate() throws Exception {
    Path nodes = store("nodes.p12");
    TransportOptions acceptor = options(nodes, SECRET);
    for (TransportOptions stranger :
        new TransportOptions[] {
          options(nodes, SECRET + "!"), options(store("others.p12"), SECRET),
        }) {
      assertThatThrownBy(() -> dial(stranger, acceptor))
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              TransportException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED));
    }
  }
}

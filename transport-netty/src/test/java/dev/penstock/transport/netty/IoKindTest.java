package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.IoKind;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.NothingLeft;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What becomes of a choice of sockets on a machine that cannot do it: a JVM without native code.
 */
@ExtendWith(NothingLeft.class)
class IoKindTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Opens a node of each kind and says what came of it. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] arguments) {
      for (IoKind kind : IoKind.values()) {
        try (Transport node = Transport.open(TransportOptions.builder().ioKind(kind).build())) {
          node.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
          ManyChannels.say(kind + " works");
        } catch (TransportException e) {
          ManyChannels.say(kind + " " + e.code() + " " + e.getMessage());
        }
      }
    }
  }

  @Test
  void shouldFallBackToNioOrSayWhatIsMissing() throws Exception {
    try (ChildJvm child =
        ChildJvm.start("probe", Probe.class, List.of("-Dio.netty.transport.noNative=true"))) {
      assertThat(child.await("AUTO", PATIENCE)).isEqualTo("works");
      for (IoKind missing : List.of(IoKind.EPOLL, IoKind.IO_URING)) {
        assertThat(child.await(missing.name(), PATIENCE))
            .startsWith("RESOURCE_EXHAUSTED")
            .contains(missing + " is not available here", "ioKind", "AUTO");
      }
      assertThat(child.await("NIO", PATIENCE)).isEqualTo("works");
      assertThat(child.exitCode(PATIENCE)).isZero();
    }
  }
}

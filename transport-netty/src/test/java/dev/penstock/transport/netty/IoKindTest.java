package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.IoKind;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.Received;
import dev.penstock.transport.testkit.TransportFixture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How sockets are driven: what is peculiar to a kind, and what becomes of one that is missing. */
class IoKindTest extends TransportFixture {
  private Wiring wiring = Wiring.SBE_NIO;

  @Override
  protected TransportOptions.Builder options() {
    return wiring.options();
  }

  @Override
  protected void assertNothingHeld(Transport closed) {
    Leaks.assertNothingHeld(closed);
  }

  @AfterAll
  static void assertNoLeaks() {
    Leaks.assertNoneReported();
  }

  /** What was written last, the reason, must leave before the socket is closed. */
  @ParameterizedTest
  @MethodSource("dev.penstock.transport.netty.Wiring#available")
  void shouldTellThePeerWhyItCloses(Wiring how) throws Exception {
    wiring = how;
    Transport closing = node();
    OutputGate out = output(closing, 1, 0, 1);
    InputGate in = input(node(), 1, 0);
    in.addProducer(0, bind(closing));
    in.announceProducers(1);
    Received received = new Received();
    send(out, 0, message(0, 100));
    pollUntil(in, received, () -> received.messages(0).size() == 1);
    await(
        "nothing more is under way",
        () -> closing.snapshot().channels().stream().allMatch(c -> c.confirmed() == c.sent()));
    closing.close(Duration.ZERO);
    pollToEnd(in, received);
    assertThat(received.failure(0).code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
  }

  /** Unlike PEER_UNREACHABLE, it is this node's own affair. */
  @ParameterizedTest
  @MethodSource("dev.penstock.transport.netty.Wiring#available")
  void shouldSayWhyItCannotListen(Wiring how) throws Exception {
    wiring = how;
    Transport node = node();
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket taken = new ServerSocket(0, 1, here)) {
      assertThatThrownBy(() -> node.bind(new InetSocketAddress(here, taken.getLocalPort())))
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.ADDRESS_UNAVAILABLE))
          .hasMessageContaining(here.getHostAddress() + ":" + taken.getLocalPort())
          .hasMessageContaining("in use")
          .hasMessageContaining("port 0");
    }
    InetAddress elsewhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
    assertThatThrownBy(() -> node.bind(new InetSocketAddress(elsewhere, 0)))
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ADDRESS_UNAVAILABLE))
        .hasMessageContaining("192.0.2.1");
    assertThatThrownBy(() -> node.bind(InetSocketAddress.createUnresolved("nowhere.invalid", 0)))
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ADDRESS_UNAVAILABLE))
        .hasMessageContaining("nowhere.invalid");
    assertThat(node.boundAddresses()).isEmpty();
    assertThat(bind(node).getPort()).isPositive();
  }

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

  /** In a JVM without native code. */
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

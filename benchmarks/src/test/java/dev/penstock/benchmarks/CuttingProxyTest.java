package dev.penstock.benchmarks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class CuttingProxyTest {
  private static final byte[] WORDS = {1, 2, 3};

  @Test
  void shouldPassBytesBothWaysAndAcceptAgainAfterACut() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        CuttingProxy proxy = new CuttingProxy((InetSocketAddress) server.getLocalSocketAddress())) {
      try (Socket near = connect(proxy);
          Socket far = server.accept()) {
        exchange(near, far);
        exchange(far, near);

        proxy.cut();

        assertEquals(-1, near.getInputStream().read());
        assertEquals(-1, far.getInputStream().read());
      }
      try (Socket near = connect(proxy);
          Socket far = server.accept()) {
        exchange(near, far);
      }
    }
  }

  private static Socket connect(CuttingProxy proxy) throws IOException {
    return new Socket(proxy.address().getAddress(), proxy.address().getPort());
  }

  private static void exchange(Socket from, Socket to) throws IOException {
    from.getOutputStream().write(WORDS);
    assertArrayEquals(WORDS, to.getInputStream().readNBytes(WORDS.length));
  }
}

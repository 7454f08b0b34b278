package dev.penstock.transport.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the lanes of a session do while the acceptor has not yet heard the first one's proof. */
@Timeout(60)
class LateProofTest {
  @Test
  void shouldNotJoinASessionThatTheAcceptorDoesNotKnowYet() throws Exception {
    List<String> received = new ArrayList<>();
    try (Transport producer = Transport.open(TransportOptions.defaults());
        ProofHolder holder =
            new ProofHolder(
                producer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        Transport consumer = Transport.open(TransportOptions.builder().lanes(4).build())) {
      OutputGate out = producer.openOutput(OutputGateOptions.builder(1, 0, 1).build());
      assertThat(out.offer(0, ByteBuffer.wrap("hello".getBytes(UTF_8))))
          .isEqualTo(OfferResult.ACCEPTED);
      var finished = out.finish();
      InputGate in = consumer.openInput(InputGateOptions.builder(1, 0).build());
      in.addProducer(0, holder.address());
      in.announceProducers(1);
      while (!in.isEnded()) {
        in.poll(
            (from, bytes) -> received.add(UTF_8.decode(bytes).toString()),
            10,
            Duration.ofSeconds(20));
      }
      finished.get(20, TimeUnit.SECONDS).orThrow();
    }
    assertThat(received).containsExactly("hello");
  }

  /**
   * A proxy that keeps back what the first connection's dialer says after HELLO, until another
   * connection has been answered, or none came for a while.
   */
  private static final class ProofHolder implements AutoCloseable {
    private static final long A_WHILE_MILLIS = 500;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CountDownLatch otherAnswered = new CountDownLatch(1);
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    ProofHolder(InetSocketAddress acceptor) throws IOException {
      start(() -> accept(acceptor));
    }

    InetSocketAddress address() {
      return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private synchronized void start(Pump pump) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  pump.run();
                } catch (IOException e) {
                  // closed
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      threads.add(thread);
      thread.start();
    }

    private void accept(InetSocketAddress acceptor) throws IOException {
      for (boolean first = true; ; first = false) {
        Socket dialer = server.accept();
        Socket target = new Socket(acceptor.getAddress(), acceptor.getPort());
        synchronized (this) {
          sockets.add(dialer);
          sockets.add(target);
        }
        boolean held = first;
        start(() -> pump(dialer, target, held));
        start(() -> answer(target, dialer, held));
      }
    }

    private void pump(Socket from, Socket to, boolean held)
        throws IOException, InterruptedException {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[8192];
        int turns = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          if (held && turns++ == 1) {
            var unused = otherAnswered.await(A_WHILE_MILLIS, TimeUnit.MILLISECONDS);
          }
          out.write(buffer, 0, count);
        }
      }
    }

    private void answer(Socket from, Socket to, boolean first) throws IOException {
      try (from;
          to) {
        byte[] buffer = new byte[8192];
        InputStream in = from.getInputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          to.getOutputStream().write(buffer, 0, count);
          if (!first) {
            otherAnswered.countDown();
          }
        }
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
      List<Thread> running;
      synchronized (this) {
        for (Socket socket : sockets) {
          socket.close();
        }
        running = List.copyOf(threads);
      }
      try {
        for (Thread thread : running) {
          thread.join();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Moves bytes until a socket closes. */
  private interface Pump {
    void run() throws IOException, InterruptedException;
  }
}

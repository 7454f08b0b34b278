package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real sockets on loopback: bytes split as the kernel likes, read by each kind of channel. */
@Timeout(60)
class SocketReadTest {
  private static final int CHANNELS = 3;
  private static final int MAX_FRAME = 64 * 1024;

  private final TinyCodec codec = new TinyCodec();
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final ReceiveMemory memory = new ReceiveMemory(allocator, 8L << 20);

  /** What a test needs of an I/O mechanism. */
  private record Mechanism(IoHandlerFactory factory, Class<? extends ServerChannel> server) {
    static Mechanism of(String name) {
      return switch (name) {
        case "epoll" -> {
          assumeTrue(Epoll.isAvailable(), "epoll");
          yield new Mechanism(EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
        }
        case "io_uring" -> {
          assumeTrue(IoUring.isAvailable(), "io_uring");
          yield new Mechanism(IoUringIoHandler.newFactory(), IoUringServerSocketChannel.class);
        }
        default -> new Mechanism(NioIoHandler.newFactory(), NioServerSocketChannel.class);
      };
    }
  }

  /** Connects a client socket to a server; closed by the test. */
  private interface Dialer {
    Socket dial(InetSocketAddress address) throws Exception;
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @CsvSource({
    "nio,1",
    "nio,2",
    "nio,3",
    "epoll,1",
    "epoll,2",
    "epoll,3",
    "io_uring,1",
    "io_uring,2",
    "io_uring,3"
  })
  void shouldHandOutWhatASocketDelivers(String name, long seed) throws Exception {
    run(
        Mechanism.of(name),
        seed,
        null,
        address -> new Socket(address.getAddress(), address.getPort()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"nio", "epoll"})
  void shouldHandOutWhatTlsDecrypts(String name, @TempDir Path directory) throws Exception {
    KeyStore store = selfSigned(directory);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SslContext server = SslContextBuilder.forServer(keys).sslProvider(SslProvider.JDK).build();
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), new SecureRandom());
    run(
        Mechanism.of(name),
        7,
        server,
        address -> client.getSocketFactory().createSocket(address.getAddress(), address.getPort()));
  }

  @Test
  void shouldLeaveNothingWhenAConnectionIsCutInsideAFrame() throws Exception {
    InboundQueue queue = new InboundQueue(1 << 20, null);
    CompletableFuture<Incoming> accepted = new CompletableFuture<>();
    CompletableFuture<Void> closed = new CompletableFuture<>();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel server = bind(Mechanism.of("nio"), group, null, queue, accepted, closed);
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      new Outgoing(codec, 0, wire).frame(new byte[50_000]);
      try (Socket socket = dial(server)) {
        socket.getOutputStream().write(wire.toByteArray(), 0, 20_000);
      }
      closed.get(30, TimeUnit.SECONDS);
      assertThat(accepted.get().malformed).isNull();
      server.close().sync();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
    assertNothingIsLeft(queue);
  }

  /** What it reads into may be refused; its event loop has others to serve. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({"nio", "epoll", "io_uring"})
  void shouldBreakNoMoreThanTheConnectionThatNoMemoryIsHadFor(String name) throws Exception {
    Mechanism mechanism = Mechanism.of(name);
    Refusing refusing = new Refusing();
    ReceiveMemory scarce = new ReceiveMemory(refusing, 8L << 20);
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, mechanism.factory());
    try {
      BlockingQueue<Object> told = new LinkedBlockingQueue<>();
      Channel server = bindTelling(mechanism, group, scarce, told);
      for (boolean refuse : new boolean[] {true, false, true, false}) {
        refusing.refuses = refuse;
        try (Socket socket = dial(server)) {
          ByteArrayOutputStream wire = new ByteArrayOutputStream();
          Outgoing.ping(codec, 7, wire);
          socket.getOutputStream().write(wire.toByteArray());
          Object first = told.poll(30, TimeUnit.SECONDS);
          if (refuse) {
            assertThat(first).isInstanceOf(OutOfMemoryError.class);
          } else {
            assertThat(first).isEqualTo(List.of(7L));
          }
        }
        assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("closed");
      }
      server.close().sync();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
    assertThat(scarce.bufferBytes()).isZero();
    assertThat(refusing.metric().directArenas())
        .allMatch(arena -> arena.numActiveAllocations() == 0);
  }

  /** Has memory, or has not. */
  private static final class Refusing extends PooledByteBufAllocator {
    volatile boolean refuses;

    Refusing() {
      super(true);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      if (refuses) {
        throw new OutOfMemoryError("refused by a test");
      }
      return super.newDirectBuffer(initialCapacity, maxCapacity);
    }
  }

  /** Of each connection it tells what failed or the pings that came, and that it closed. */
  private Channel bindTelling(
      Mechanism mechanism, EventLoopGroup group, ReceiveMemory from, BlockingQueue<Object> told)
      throws Exception {
    return new ServerBootstrap()
        .group(group)
        .channel(mechanism.server())
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                Incoming incoming =
                    new Incoming(from, channel.eventLoop()) {
                      @Override
                      public void ping(long value) {
                        super.ping(value);
                        told.add(List.copyOf(pings));
                      }
                    };
                FrameReader.Source socket = FrameReader.Source.SOCKET;
                channel.pipeline().addLast(incoming.newReader(codec, socket, 1 << 20));
                channel.pipeline().addLast(new Teller(told));
              }
            })
        .bind(InetAddress.getLoopbackAddress(), 0)
        .sync()
        .channel();
  }

  private static final class Teller extends ChannelInboundHandlerAdapter {
    private final BlockingQueue<Object> told;

    Teller(BlockingQueue<Object> told) {
      this.told = told;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      told.add(cause);
      var unused = ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      told.add("closed");
    }
  }

  private void run(Mechanism mechanism, long seed, SslContext tls, Dialer dialer) throws Exception {
    InboundQueue queue = new InboundQueue(4 << 20, null);
    CompletableFuture<Incoming> accepted = new CompletableFuture<>();
    CompletableFuture<Void> closed = new CompletableFuture<>();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, mechanism.factory());
    List<List<byte[]>> model = new ArrayList<>();
    Collected collected = new Collected();
    try {
      Channel server = bind(mechanism, group, tls, queue, accepted, closed);
      byte[] bytes = traffic(new Random(seed), model);
      Thread writer = new Thread(() -> write(dialer, server, bytes, new Random(seed)), "writer");
      writer.start();
      int expected = model.stream().mapToInt(List::size).sum();
      Random random = new Random(seed);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (collected.size() < expected) {
        assertThat(queue.await(deadline))
            .as("seed %d: %d of %d", seed, collected.size(), expected)
            .isTrue();
        queue.poll(collected, 1 + random.nextInt(200));
      }
      writer.join();
      closed.get(30, TimeUnit.SECONDS);
      server.close().sync();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
    for (int i = 0; i < CHANNELS; i++) {
      collected.assertEqualTo(i, model.get(i));
    }
    assertThat(accepted.get().malformed).isNull();
    assertNothingIsLeft(queue);
  }

  private void assertNothingIsLeft(InboundQueue queue) {
    assertThat(memory.pinnedBytes()).isZero();
    assertThat(memory.bufferBytes()).isZero();
    assertThat(queue.copied()).hasValue(0);
    assertThat(allocator.metric().directArenas())
        .allMatch(arena -> arena.numActiveAllocations() == 0);
  }

  private byte[] traffic(Random random, List<List<byte[]>> model) {
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    List<Outgoing> senders = new ArrayList<>();
    for (int i = 0; i < CHANNELS; i++) {
      senders.add(new Outgoing(codec, i, wire));
      model.add(new ArrayList<>());
    }
    for (int frame = 0; frame < 150; frame++) {
      int i = random.nextInt(CHANNELS);
      if (random.nextInt(8) == 0) {
        byte[] body = Outgoing.random(random, 70_000 + random.nextInt(200_000));
        senders.get(i).pieces(body, 60_000);
        model.get(i).add(body);
      } else {
        byte[][] bodies = new byte[1 + random.nextInt(12)][];
        for (int j = 0; j < bodies.length; j++) {
          bodies[j] = Outgoing.random(random, random.nextInt(1 << random.nextInt(13)));
          model.get(i).add(bodies[j]);
        }
        senders.get(i).frame(bodies);
      }
    }
    return wire.toByteArray();
  }

  private static void write(Dialer dialer, Channel server, byte[] bytes, Random random) {
    try (Socket socket = dialer.dial((InetSocketAddress) server.localAddress())) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      int from = 0;
      while (from < bytes.length) {
        int length = Math.min(bytes.length - from, 1 + random.nextInt(1 << random.nextInt(18)));
        out.write(bytes, from, length);
        from += length;
      }
      out.flush();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Socket dial(Channel server) throws IOException {
    InetSocketAddress address = (InetSocketAddress) server.localAddress();
    return new Socket(address.getAddress(), address.getPort());
  }

  private Channel bind(
      Mechanism mechanism,
      EventLoopGroup group,
      SslContext tls,
      InboundQueue queue,
      CompletableFuture<Incoming> accepted,
      CompletableFuture<Void> closed)
      throws Exception {
    return new ServerBootstrap()
        .group(group)
        .channel(mechanism.server())
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                Incoming incoming = new Incoming(memory, channel.eventLoop());
                FrameReader.Source source =
                    tls == null ? FrameReader.Source.SOCKET : FrameReader.Source.HANDLER;
                if (tls != null) {
                  channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                }
                channel.pipeline().addLast(incoming.newReader(codec, source, 1 << 20));
                incoming.reader.trust(MAX_FRAME);
                for (int i = 0; i < CHANNELS; i++) {
                  incoming.open(i, queue);
                }
                channel.closeFuture().addListener(future -> closed.complete(null));
                accepted.complete(incoming);
              }
            })
        .bind(InetAddress.getLoopbackAddress(), 0)
        .sync()
        .channel();
  }

  private static final String PASSWORD = "not a secret";

  private static KeyStore selfSigned(Path directory) throws Exception {
    Path file = directory.resolve("key.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String output =
        new String(
            keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }
}

package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.NodeSecret;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.TlsOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.testkit.PlainTextCodec;
import dev.penstock.transport.testkit.Received;
import dev.penstock.transport.testkit.RecordingFrames;
import dev.penstock.transport.testkit.TransportFixture;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.WireCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is not trusted gets nothing: no channel, no memory, and a reason. FAULTS 22. */
class TrustTest extends TransportFixture {
  private static final NodeSecret SECRET = NodeSecret.ofText("a secret of the tests, long enough");
  private static final NodeSecret OTHER = NodeSecret.ofText("another secret, just as long");

  private final Events acceptorEvents = new Events();
  private final Events dialerEvents = new Events();

  @Override
  protected TransportOptions.Builder options() {
    return TransportOptions.builder()
        .lanes(1)
        .resumeWindow(Duration.ofMillis(500))
        .handshakeTimeout(Duration.ofSeconds(2));
  }

  @Override
  protected void assertNothingHeld(Transport closed) {
    Leaks.assertNothingHeld(closed);
  }

  @AfterAll
  static void assertNoLeaks() {
    Leaks.assertNoneReported();
  }

  private Transport acceptor(UnaryOperator<TransportOptions.Builder> changes) {
    return node(options -> changes.apply(options.listener(acceptorEvents)));
  }

  private Transport dialer(UnaryOperator<TransportOptions.Builder> changes) {
    return node(options -> changes.apply(options.listener(dialerEvents)));
  }

  /** Has a consumer dial a producer and be refused; nothing is opened on either side. */
  private TransportException assertRefused(
      UnaryOperator<TransportOptions.Builder> acceptorOptions,
      UnaryOperator<TransportOptions.Builder> dialerOptions)
      throws Exception {
    Transport producers = acceptor(acceptorOptions);
    return assertRefused(producers, dialer(dialerOptions), bind(producers));
  }

  private TransportException assertRefused(
      Transport producers, Transport consumers, InetSocketAddress address) throws Exception {
    OutputGate out = output(producers, 1, 0, 1);
    assertThat(out.offer(0, message(1, 100)))
        .isEqualTo(dev.penstock.transport.OfferResult.ACCEPTED);
    CompletableFuture<String> dialed = consumers.dial(address);
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, address);
    in.announceProducers(1);
    Received received = new Received();
    pollToEnd(in, received);
    assertThat(received.messages(0)).isEmpty();
    assertThat(received.failure(0)).isNotNull();
    assertThat(acceptorEvents.opened).isEmpty();
    assertThat(dialerEvents.opened).isEmpty();
    assertThat(acceptorEvents.up).isEmpty();
    assertThat(producers.snapshot().sessions()).isEmpty();
    assertThatThrownBy(() -> get(dialed))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TransportException.class);
    return received.failure(0);
  }

  private void assertAuthenticationFailed(TransportException failure) {
    assertThat(failure.code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(failure.getMessage()).doesNotContain("of the tests");
  }

  // --- Secrets

  @Test
  void shouldTrustTheSameSecret() throws Exception {
    Transport producers = acceptor(o -> o.sharedSecret(SECRET));
    Transport consumers = dialer(o -> o.sharedSecret(SECRET).nodeName("consumers"));
    assertThat(get(consumers.dial(bind(producers)))).isEqualTo("node");
  }

  @Test
  void shouldRefuseAWrongSecret() throws Exception {
    assertAuthenticationFailed(
        assertRefused(o -> o.sharedSecret(SECRET), o -> o.sharedSecret(OTHER)));
  }

  @Test
  void shouldRefuseADialerWithoutTheSecret() throws Exception {
    assertAuthenticationFailed(assertRefused(o -> o.sharedSecret(SECRET), o -> o));
  }

  @Test
  void shouldRefuseAnAcceptorWithoutTheSecret() throws Exception {
    assertAuthenticationFailed(assertRefused(o -> o, o -> o.sharedSecret(SECRET)));
  }

  // --- TLS

  private static UnaryOperator<TransportOptions.Builder> tls(TlsOptions tls) {
    return options -> options.tls(tls);
  }

  @Test
  void shouldTrustCertificatesOfTheAuthority() throws Exception {
    Transport producers = acceptor(tls(Certificates.trusted().options(true)));
    Transport consumers = dialer(tls(Certificates.trusted().options(true)));
    assertThat(get(consumers.dial(bind(producers)))).isEqualTo("node");
  }

  @Test
  void shouldRefuseAnExpiredCertificate() throws Exception {
    assertAuthenticationFailed(
        assertRefused(
            tls(Certificates.expired().options(false)), tls(Certificates.withoutCertificate())));
  }

  @Test
  void shouldRefuseACertificateOfAForeignAuthority() throws Exception {
    assertAuthenticationFailed(
        assertRefused(
            tls(Certificates.foreign().options(false)), tls(Certificates.withoutCertificate())));
  }

  @Test
  void shouldRefuseADialerWithoutACertificateWhenBothMustShowOne() throws Exception {
    TransportException failure =
        assertRefused(
            tls(Certificates.trusted().options(true)), tls(Certificates.withoutCertificate()));
    assertTlsRefused(failure);
    assertThat(Events.has(acceptorEvents.refused, ErrorCode.AUTHENTICATION_FAILED)).isTrue();
  }

  @Test
  void shouldRefuseADialerOfAForeignAuthority() throws Exception {
    assertTlsRefused(
        assertRefused(
            tls(Certificates.trusted().options(true)), tls(Certificates.foreign().options(true))));
    assertThat(Events.has(acceptorEvents.refused, ErrorCode.AUTHENTICATION_FAILED)).isTrue();
  }

  /**
   * The acceptor's alert can be lost with the connection; the dialer tries until its window ends.
   */
  private static void assertTlsRefused(TransportException failure) {
    assertThat(failure.code())
        .isIn(ErrorCode.AUTHENTICATION_FAILED, ErrorCode.SESSION_LOST, ErrorCode.PEER_UNREACHABLE);
  }

  @Test
  void shouldNotMeetWithTlsOnTheDialersSideOnly() throws Exception {
    assertRefused(o -> o, tls(Certificates.withoutCertificate()));
  }

  @Test
  void shouldNotMeetWithTlsOnTheAcceptorsSideOnly() throws Exception {
    assertRefused(tls(Certificates.trusted().options(false)), o -> o);
  }

  // --- On the path

  @Test
  void shouldRefuseAReplayedHandshake() throws Exception {
    Transport producers = acceptor(o -> o.sharedSecret(SECRET));
    InetSocketAddress address = bind(producers);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (Proxy proxy = new Proxy(address)) {
      proxy.filter(
          (connection, fromDialer, bytes, out) -> {
            if (fromDialer) {
              said.writeBytes(bytes);
            }
            out.write(bytes);
          });
      get(dialer(o -> o.sharedSecret(SECRET)).dial(proxy.address()));
      await("the lane", () -> acceptorEvents.up.size() == 1);
    }
    try (Socket replay = new Socket(address.getAddress(), address.getPort())) {
      replay.getOutputStream().write(said.toByteArray());
      assertCloses(replay);
    }
    assertThat(Events.has(acceptorEvents.refused, ErrorCode.AUTHENTICATION_FAILED)).isTrue();
    assertThat(acceptorEvents.up).hasSize(1);
  }

  /** Says less than the dialer can: no checksums of payloads. */
  @Test
  void shouldRefuseADowngrade() throws Exception {
    Transport producers = acceptor(o -> o.sharedSecret(SECRET));
    Transport consumers = dialer(o -> o.sharedSecret(SECRET));
    try (Proxy proxy = new Proxy(bind(producers))) {
      proxy.filter(
          (connection, fromDialer, bytes, out) ->
              out.write(fromDialer ? withoutPayloadCrc(bytes) : bytes));
      assertAuthenticationFailed(assertRefused(producers, consumers, proxy.address()));
    }
  }

  private static byte[] withoutPayloadCrc(byte[] bytes) {
    WireCodec codec =
        ServiceLoader.load(WireCodec.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.name().equals("sbe"))
            .findFirst()
            .orElseThrow();
    RecordingFrames frames = new RecordingFrames();
    try {
      codec.newDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, frames);
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
    if (!(frames.calls().get(0).arguments().get(0) instanceof Hello said)) {
      return bytes;
    }
    ByteBuffer changed = ByteBuffer.allocate(bytes.length);
    var encoder = codec.newEncoder();
    encoder.bind(changed);
    encoder.hello(
        new Hello(
            said.minVersion(),
            said.maxVersion(),
            said.nodeIdHigh(),
            said.nodeIdLow(),
            said.sessionIdHigh(),
            said.sessionIdLow(),
            said.lane(),
            said.epoch(),
            said.features() ^ 1,
            said.maxFrameLength(),
            said.maxChannels(),
            said.heartbeatMillis(),
            said.nonce(),
            said.nodeName()));
    return changed.array();
  }

  // --- Before trust

  @Test
  void shouldCloseAConnectionThatSaysTooMuchBeforeTrust() throws Exception {
    InetSocketAddress address = bind(acceptor(o -> o));
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      ByteBuffer header = ByteBuffer.allocate(2_000);
      header.putInt(2_000).putShort((short) 0xEB50);
      socket.getOutputStream().write(header.array());
      assertCloses(socket);
    }
    await("the refusal", () -> Events.has(acceptorEvents.refused, ErrorCode.FRAME_TOO_LARGE));
  }

  @Test
  void shouldCloseAConnectionThatAnnouncesAHugeFrame() throws Exception {
    Transport node = acceptor(o -> o);
    InetSocketAddress address = bind(node);
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.getOutputStream().write(new byte[] {0x7f, -1, -1, -1, (byte) 0xEB, 0x50});
      assertCloses(socket);
    }
    await("the refusal", () -> Events.has(acceptorEvents.refused, ErrorCode.FRAME_TOO_LARGE));
  }

  @Test
  void shouldCloseAConnectionThatSaysNothing() throws Exception {
    InetSocketAddress address = bind(acceptor(o -> o.handshakeTimeout(Duration.ofMillis(200))));
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      assertCloses(socket);
    }
    await("the refusal", () -> Events.has(acceptorEvents.refused, ErrorCode.DEADLINE_EXCEEDED));
  }

  @Test
  void shouldCapConnectionsWithoutProof() throws Exception {
    InetSocketAddress address =
        bind(acceptor(o -> o.maxUnprovenConnections(3).handshakeTimeout(Duration.ofSeconds(30))));
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sockets.add(new Socket(address.getAddress(), address.getPort()));
    }
    await("the refusal", () -> Events.has(acceptorEvents.refused, ErrorCode.RESOURCE_EXHAUSTED));
    assertThat(acceptorEvents.refused.get(0).reason()).contains("maxUnprovenConnections");
    for (Socket socket : sockets) {
      socket.close();
    }
    await("those are gone", () -> acceptorEvents.refused.size() == 4);
    assertThat(get(dialer(o -> o).dial(address))).isEqualTo("node");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldCloseAConnectionOfRandomBytes(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    InetSocketAddress address = bind(acceptor(o -> o.handshakeTimeout(Duration.ofMillis(500))));
    int tries = 30;
    for (int i = 0; i < tries; i++) {
      byte[] bytes = new byte[random.nextInt(1, 3_000)];
      random.nextBytes(bytes);
      if (random.nextBoolean() && bytes.length > 6) {
        ByteBuffer.wrap(bytes).putInt(random.nextInt(4, 900)).putShort((short) 0xEB50);
      }
      try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
        write(socket, bytes);
        assertCloses(socket);
      }
    }
    await("all are refused", () -> acceptorEvents.refused.size() == tries);
    assertThat(acceptorEvents.up).isEmpty();
    assertThat(get(dialer(o -> o).dial(address))).isEqualTo("node");
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      // It was refused before all was said.
    }
  }

  /** FAULTS 19, 22: the length is checked before anything is allocated, after trust as well. */
  @Test
  void shouldBreakAConnectionThatAnnouncesAHugeFrameAfterTrustAndResume() throws Exception {
    Transport producers = acceptor(o -> o.resumeWindow(Duration.ofSeconds(60)));
    Transport consumers = dialer(o -> o.resumeWindow(Duration.ofSeconds(60)));
    OutputStream[] toAcceptor = new OutputStream[1];
    try (Proxy proxy = new Proxy(bind(producers))) {
      proxy.filter(
          (connection, fromDialer, bytes, out) -> {
            if (fromDialer) {
              toAcceptor[0] = out;
            }
            out.write(bytes);
          });
      OutputGate out = output(producers, 1, 0, 1);
      InputGate in = input(consumers, 1, 0);
      in.addProducer(0, proxy.address());
      in.announceProducers(1);
      Received received = new Received();
      send(out, 0, message(0, 10));
      pollUntil(in, received, () -> received.messages(0).size() == 1);
      toAcceptor[0].write(new byte[] {0x7f, -1, -1, -1, (byte) 0xEB, 0x50});
      await("the break", () -> Events.has(acceptorEvents.broken, ErrorCode.FRAME_TOO_LARGE));
      send(out, 0, message(1, 10));
      CompletableFuture<?> finished = out.finish();
      pollToEnd(in, received);
      get(finished);
      assertThat(received.messages(0)).hasSize(2);
    }
  }

  @Test
  void shouldNameBothCodecsWhenTheyDiffer() throws Exception {
    String foreign = String.format("0x%04X", PlainTextCodec.ENCODING_TYPE);
    TransportException failure = assertRefused(o -> o, o -> o.codec("plain-text"));
    assertThat(failure.code()).isEqualTo(ErrorCode.UNSUPPORTED_CODEC);
    assertThat(failure).hasMessageContaining("plain-text").hasMessageContaining("0xEB50");
    await(
        "the acceptor says so, too",
        () -> Events.has(acceptorEvents.refused, ErrorCode.UNSUPPORTED_CODEC));
    assertThat(acceptorEvents.refused.get(0).reason()).contains("sbe").contains(foreign);
  }

  private static void assertCloses(Socket socket) throws IOException {
    socket.setSoTimeout((int) PATIENCE.toMillis());
    byte[] answer = new byte[4096];
    try {
      while (socket.getInputStream().read(answer) >= 0) {
        // Whatever it says, it must not stay.
      }
    } catch (java.net.SocketException e) {
      // Reset: closed with unread bytes.
    }
  }
}

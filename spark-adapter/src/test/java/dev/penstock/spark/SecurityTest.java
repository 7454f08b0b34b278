package dev.penstock.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.NodeSecret;
import dev.penstock.transport.TlsOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.TransportSnapshot;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SSLOptions;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import scala.Tuple2;

/** What Spark says about security is kept, or the application does not start. */
@Timeout(240)
class SecurityTest {
  private static final String SECRET = "a-secret-that-only-this-application-knows";

  @TempDir static Path directory;
  private static Keys keys;

  @BeforeAll
  static void makeKeys() throws Exception {
    keys = Keys.make(directory);
  }

  private static Map<String, String> authenticated(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(more);
    all.put("spark.authenticate", "true");
    all.put("spark.authenticate.secret", SECRET);
    return all;
  }

  /** In one JVM Spark makes one up, whatever is set. */
  private static String sparksSecret() {
    return SparkEnv.get().securityManager().getSecretKey();
  }

  private static int sum(LocalSpark spark) {
    return spark
        .rdds()
        .parallelize(IntStream.range(0, 1_000).boxed().toList(), 2)
        .mapToPair(n -> new Tuple2<>(n % 7, n))
        .reduceByKey(Integer::sum, 3)
        .values()
        .reduce(Integer::sum);
  }

  /** Asks the driver's node for a channel that is there; how that ends, or null if it opens. */
  private static ErrorCode dial(TransportOptions.Builder options) throws InterruptedException {
    return dial(options, 30);
  }

  private static ErrorCode dial(TransportOptions.Builder options, int seconds)
      throws InterruptedException {
    Message.Welcome door =
        (Message.Welcome)
            DriverNode.currentOrNull().receive(new Message.Hello("stranger", "localhost", 1));
    AtomicReference<ErrorCode> end = new AtomicReference<>();
    MessageHandler handler =
        new MessageHandler() {
          @Override
          public void onMessage(int producer, ByteBuffer message) {}

          @Override
          public void onFailure(int producer, TransportException failure) {
            end.set(failure.code());
          }
        };
    try (Transport stranger =
            Transport.open(
                options.nodeName("stranger").openTimeout(Duration.ofSeconds(seconds)).build());
        InputGate gate = stranger.openInput(InputGateOptions.builder(door.exchange(), 0).build())) {
      gate.addProducer(0, new InetSocketAddress(door.host(), door.port()));
      while (end.get() == null && !isOpen(stranger)) {
        gate.poll(handler, 1, Duration.ofMillis(100));
      }
    }
    return end.get();
  }

  /** The driver has taken the channel, and has nothing to say. */
  private static boolean isOpen(Transport transport) {
    return transport.snapshot().channels().stream()
        .anyMatch(channel -> channel.waitsFor() == TransportSnapshot.WaitsFor.PRODUCER);
  }

  @Test
  void shouldLetOnlyThoseInThatKnowSparksSecret() throws Exception {
    try (LocalSpark spark = new LocalSpark(8, authenticated(Map.of()))) {
      assertThat(sum(spark)).isEqualTo(1_000 * 999 / 2);
      assertThat(spark.figures()).isEqualTo(new Figures(1, 1, 0));

      String known = sparksSecret();
      assertThat(dial(TransportOptions.builder().sharedSecret(Nodes.secret(known)))).isNull();
      assertThat(dial(TransportOptions.builder().sharedSecret(Nodes.secret("another"))))
          .isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
      assertThat(dial(TransportOptions.builder())).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
      // Spark's secret itself is no key: what is seen here is of no use on Spark's ports.
      assertThat(
              dial(TransportOptions.builder().sharedSecret(NodeSecret.of(known.getBytes(UTF_8)))))
          .isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stores", "key.pem", "secret.pem"})
  void shouldSpeakTlsAsSparkIsTold(String kind) throws Exception {
    Map<String, String> tls = kind.equals("stores") ? keys.stores() : keys.pem(kind);
    try (LocalSpark spark = new LocalSpark(8, authenticated(tls))) {
      assertThat(sum(spark)).isEqualTo(1_000 * 999 / 2);
      assertThat(spark.figures()).isEqualTo(new Figures(1, 1, 0));

      NodeSecret secret = Nodes.secret(sparksSecret());
      TlsOptions same = options(tls);
      assertThat(dial(TransportOptions.builder().sharedSecret(secret).tls(same))).isNull();
      // Without TLS, or without a certificate, a connection is tried again until time is up.
      assertThat(dial(TransportOptions.builder().sharedSecret(secret), 2)).isNotNull();
      TlsOptions anonymous = TlsOptions.of(null, same.trust());
      assertThat(dial(TransportOptions.builder().sharedSecret(secret).tls(anonymous), 2))
          .isNotNull();
    }
  }

  @Test
  @Tag("spark-suites")
  void shouldProtectWhatExecutorsExchange() {
    Map<String, String> conf = authenticated(keys.stores());
    // The certificate is for localhost; executors here go by the machine's address.
    conf.put("spark.penstock.tls.hostnames", "false");
    try (LocalSpark spark = LocalSpark.cluster(4, conf)) {
      assertThat(sum(spark)).isEqualTo(1_000 * 999 / 2);
      assertThat(spark.figures()).isEqualTo(new Figures(1, 1, 0));
    }
  }

  @Test
  void shouldNeverLogASecret() {
    Map<String, String> conf = authenticated(keys.stores());
    conf.put("spark.penstock.typo", "x");
    List<String> lines;
    String secret;
    try (LogLines log = new LogLines()) {
      try (LocalSpark spark = new LocalSpark(8, conf)) {
        secret = sparksSecret();
        assertThat(sum(spark)).isEqualTo(1_000 * 999 / 2);
      }
      lines = log.all();
    }
    assertThat(lines).anyMatch(line -> line.contains("spark.penstock.typo"));
    assertThat(lines)
        .noneMatch(line -> line.contains(secret) || line.contains(SECRET))
        .noneMatch(line -> line.contains(Keys.PASSWORD));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"spark.network.crypto.enabled", "spark.authenticate.enableSaslEncryption"})
  void shouldNotStartWhereDataWouldTravelInTheOpen(String setting) {
    assertThatThrownBy(() -> new LocalSpark(2, authenticated(Map.of(setting, "true"))).close())
        .hasStackTraceContaining(setting)
        .hasStackTraceContaining("spark.ssl.rpc");
    assertThat(DriverNode.currentOrNull()).isNull();
  }

  private static TlsOptions options(Map<String, String> conf) {
    SparkConf all = new SparkConf(false);
    conf.forEach(all::set);
    SSLOptions ssl =
        SSLOptions.parse(all, new Configuration(false), "spark.ssl.rpc", Option.empty());
    return SparkTls.options(ssl, true);
  }

  @ParameterizedTest
  @CsvSource({
    "keyStore, , keyStore",
    "trustStore, , trustStore is not set",
    "keyStorePassword, wrong-pass-word, cannot be read",
    "protocol, TLSv1, TLSv1.3 and TLSv1.2 only",
    "enabledAlgorithms, TLS_AES_256_GCM_SHA384, TLS_AES_128_GCM_SHA256",
  })
  void shouldRefuseStoresThatItCannotUse(String key, String value, String expected) {
    Map<String, String> conf = keys.stores();
    if (value == null) {
      conf.remove("spark.ssl.rpc." + key);
    } else {
      conf.put("spark.ssl.rpc." + key, value);
    }
    assertThatThrownBy(() -> options(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spark.ssl.rpc.")
        .hasMessageContaining(expected)
        .hasMessageNotContaining("wrong-pass-word")
        .hasMessageNotContaining(Keys.PASSWORD);
  }

  @ParameterizedTest
  @CsvSource({
    "old.pem, pass, openssl pkcs8",
    "chain.pem, pass, no private key",
    "missing.pem, pass, missing.pem",
    "secret.pem, , spark.ssl.rpc.privateKeyPassword",
    "secret.pem, wrong-pass-word, cannot be read",
  })
  void shouldRefusePemFilesThatItCannotUse(String key, String password, String expected) {
    Map<String, String> conf = keys.pem(key);
    if (password == null) {
      conf.remove("spark.ssl.rpc.privateKeyPassword");
    } else {
      conf.put("spark.ssl.rpc.privateKeyPassword", password);
    }
    assertThatThrownBy(() -> options(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected)
        .hasMessageNotContaining("wrong-pass-word");
  }

  @Test
  void shouldTakeTheProtocolsThatSparkIsTold() {
    Map<String, String> conf = keys.stores();
    assertThat(options(conf).protocols()).containsExactly("TLSv1.3");
    conf.put("spark.ssl.rpc.protocol", "TLSv1.2");
    assertThat(options(conf).protocols()).containsExactly("TLSv1.2");
    conf.put("spark.ssl.rpc.protocol", "TLS");
    assertThat(options(conf).protocols()).isEqualTo(List.of("TLSv1.3", "TLSv1.2"));
    assertThat(options(conf).mutual()).isTrue();
  }
}

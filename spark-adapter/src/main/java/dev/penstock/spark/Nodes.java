package dev.penstock.spark;

import dev.penstock.transport.NodeSecret;
import dev.penstock.transport.TlsOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.spark.SSLOptions;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import scala.Option;

/** Opens this JVM's node with what Spark says about security. */
final class Nodes {
  private Nodes() {}

  /** Fails at start-up for what would silently travel unprotected. */
  static void checkSecurity(SparkConf conf) {
    boolean crypto = conf.getBoolean("spark.network.crypto.enabled", false);
    boolean sasl = conf.getBoolean("spark.authenticate.enableSaslEncryption", false);
    boolean ssl = conf.getBoolean("spark.ssl.rpc.enabled", false);
    if ((crypto || sasl) && !ssl) {
      throw new IllegalArgumentException(
          (crypto ? "spark.network.crypto.enabled" : "spark.authenticate.enableSaslEncryption")
              + "=true asks for encryption that Penstock does not speak: set"
              + " spark.ssl.rpc.enabled=true (TLS, with spark.ssl.rpc.keyStore and so on), which"
              + " Spark and Penstock both honour, or take dev.penstock.spark.PenstockPlugin out of"
              + " spark.plugins");
    }
  }

  static Transport open(String name, SparkConf conf, Settings settings, boolean control) {
    TransportOptions.Builder options =
        TransportOptions.builder()
            .nodeName(name)
            .resumeWindow(Duration.ofMillis(settings.resumeMillis()))
            .openTimeout(Duration.ofMillis(settings.readersMillis() + settings.startMillis()));
    if (control) {
      options.eventLoops(1).lanes(1);
    }
    SecurityManager security = SparkEnv.get().securityManager();
    if (security.isAuthenticationEnabled()) {
      options.sharedSecret(secret(security.getSecretKey()));
    }
    if (conf.getBoolean("spark.ssl.rpc.enabled", false)) {
      options.tls(tls(security.getRpcSSLOptions()));
    }
    return Transport.open(options.build());
  }

  static InetSocketAddress bind(Transport node, String host, int port, String portKey) {
    try {
      return node.bind(new InetSocketAddress(host, port));
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "cannot listen on " + host + ":" + port + "; the port is " + portKey, e);
    }
  }

  /** Derived, so that a proof on this port never helps on Spark's own ports. */
  private static NodeSecret secret(String spark) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("penstock spark node secret 1\n".getBytes(StandardCharsets.UTF_8));
      return NodeSecret.of(digest.digest(spark.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TlsOptions tls(SSLOptions ssl) {
    if (ssl.keyStore().isEmpty() || ssl.trustStore().isEmpty()) {
      throw new IllegalArgumentException(
          "spark.ssl.rpc.enabled=true needs spark.ssl.rpc.keyStore and spark.ssl.rpc.trustStore"
              + " for Penstock; PEM files (spark.ssl.rpc.certChain) are not read");
    }
    try {
      char[] storePassword = password(ssl.keyStorePassword());
      char[] keyPassword =
          ssl.keyPassword().isDefined() ? password(ssl.keyPassword()) : storePassword;
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store(ssl.keyStore().get(), ssl.keyStoreType(), storePassword), keyPassword);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(
          store(ssl.trustStore().get(), ssl.trustStoreType(), password(ssl.trustStorePassword())));
      return TlsOptions.mutual(keys, trust);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("spark.ssl.rpc.*: the stores cannot be read", e);
    }
  }

  private static KeyStore store(File file, Option<String> type, char[] password)
      throws GeneralSecurityException, IOException {
    KeyStore store =
        KeyStore.getInstance(type.isDefined() ? type.get() : KeyStore.getDefaultType());
    try (InputStream in = new FileInputStream(file)) {
      store.load(in, password);
    }
    return store;
  }

  private static char[] password(Option<String> text) {
    return text.isDefined() ? text.get().toCharArray() : null;
  }
}

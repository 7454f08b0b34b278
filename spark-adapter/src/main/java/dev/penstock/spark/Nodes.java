package dev.penstock.spark;

import dev.penstock.transport.NodeSecret;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

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
      options.tls(SparkTls.options(security.getRpcSSLOptions(), settings.verifyHostNames()));
    }
    return Transport.open(options.build());
  }

  static InetSocketAddress bind(Transport node, String host, int port, String portKey) {
    try {
      return node.bind(new InetSocketAddress(host, port));
    } catch (RuntimeException e) {
      node.close(Duration.ZERO);
      throw new IllegalStateException(
          "cannot listen on " + host + ":" + port + "; the port is " + portKey, e);
    }
  }

  /** Derived, so that a proof on this port never helps on Spark's own ports. */
  static NodeSecret secret(String spark) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("penstock spark node secret 1\n".getBytes(StandardCharsets.UTF_8));
      return NodeSecret.of(digest.digest(spark.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}

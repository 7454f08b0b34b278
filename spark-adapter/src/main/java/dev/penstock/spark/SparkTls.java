package dev.penstock.spark;

import dev.penstock.transport.TlsOptions;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.spark.SSLOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What {@code spark.ssl.rpc.*} asks for, for Penstock's connections: the same keys, protocol and
 * trust; what cannot be had is refused by name.
 */
final class SparkTls {
  private static final Logger LOG = LoggerFactory.getLogger(SparkTls.class);
  private static final String PREFIX = "spark.ssl.rpc.";

  private SparkTls() {}

  static TlsOptions options(SSLOptions ssl, boolean verifyHostNames) {
    List<String> protocols = protocols(ssl.protocol());
    checkCiphers(protocols, CollectionConverters.asJava(ssl.enabledAlgorithms()));
    if (ssl.trustStoreReloadingEnabled()) {
      LOG.warn(
          "{}trustStoreReloadingEnabled: Penstock reads the trust store at start-up only", PREFIX);
    }
    try {
      // As Spark decides: PEM files if both are there, stores otherwise.
      boolean pem = ssl.certChain().isDefined() && ssl.privateKey().isDefined();
      KeyManagerFactory keys = pem ? pemKeys(ssl) : storedKeys(ssl);
      return new TlsOptions(keys, trust(ssl, pem), true, verifyHostNames, protocols);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          PREFIX + "*: keys or certificates cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<String> protocols(Option<String> asked) {
    String protocol = asked.isDefined() ? asked.get() : "TLSv1.3";
    return switch (protocol) {
      case "TLSv1.3" -> List.of("TLSv1.3");
      case "TLSv1.2" -> List.of("TLSv1.2");
      case "TLS" -> List.of("TLSv1.3", "TLSv1.2");
      default ->
          throw new IllegalArgumentException(
              PREFIX
                  + "protocol is "
                  + protocol
                  + ", but Penstock speaks TLSv1.3 and TLSv1.2 only: set one of these, or TLS for"
                  + " both");
    };
  }

  /** A list that leaves out what would be used cannot be kept, so it is refused. */
  private static void checkCiphers(List<String> protocols, Set<String> allowed) {
    if (allowed.isEmpty()) {
      return;
    }
    List<String> others = new ArrayList<>();
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, null, null);
      for (String cipher : context.getDefaultSSLParameters().getCipherSuites()) {
        // Suites of TLS 1.3 do not say how keys are exchanged; SCSV is a signal, no suite.
        String protocol = cipher.contains("_WITH_") ? "TLSv1.2" : "TLSv1.3";
        if (protocols.contains(protocol)
            && !cipher.endsWith("_SCSV")
            && !allowed.contains(cipher)) {
          others.add(cipher);
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    if (!others.isEmpty()) {
      throw new IllegalArgumentException(
          PREFIX
              + "enabledAlgorithms leaves out "
              + others
              + ", which Penstock could use and cannot switch off: add them, switch them off for"
              + " the JVM (jdk.tls.disabledAlgorithms), or unset it");
    }
  }

  private static KeyManagerFactory pemKeys(SSLOptions ssl)
      throws GeneralSecurityException, IOException {
    List<Certificate> chain = PemFiles.certificates(ssl.certChain().get());
    char[] password = password(ssl.privateKeyPassword());
    PrivateKey key = PemFiles.key(ssl.privateKey().get(), password);
    KeyStore store = empty();
    char[] none = new char[0];
    store.setKeyEntry("node", key, none, chain.toArray(new Certificate[0]));
    return keys(store, none);
  }

  private static KeyManagerFactory storedKeys(SSLOptions ssl)
      throws GeneralSecurityException, IOException {
    if (ssl.keyStore().isEmpty()) {
      throw new IllegalArgumentException(
          PREFIX
              + "enabled=true, but there is no key: set "
              + PREFIX
              + "keyStore, or "
              + PREFIX
              + "certChain and "
              + PREFIX
              + "privateKey");
    }
    char[] storePassword = password(ssl.keyStorePassword());
    char[] keyPassword =
        ssl.keyPassword().isDefined() ? password(ssl.keyPassword()) : storePassword;
    return keys(store(ssl.keyStore().get(), ssl.keyStoreType(), storePassword), keyPassword);
  }

  private static KeyManagerFactory keys(KeyStore store, char[] password)
      throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    return keys;
  }

  /** The trust store; with PEM files and none, the chain itself, as Spark does. */
  private static TrustManagerFactory trust(SSLOptions ssl, boolean pem)
      throws GeneralSecurityException, IOException {
    KeyStore store;
    if (ssl.trustStore().isDefined()) {
      store =
          store(ssl.trustStore().get(), ssl.trustStoreType(), password(ssl.trustStorePassword()));
    } else if (pem) {
      store = empty();
      int number = 0;
      for (Certificate certificate : PemFiles.certificates(ssl.certChain().get())) {
        store.setCertificateEntry("trusted-" + number++, certificate);
      }
    } else {
      throw new IllegalArgumentException(
          PREFIX
              + "trustStore is not set: without it any certificate would be trusted, which Spark"
              + " does and Penstock does not");
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
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

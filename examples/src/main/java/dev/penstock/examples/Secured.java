package dev.penstock.examples;

import dev.penstock.transport.NodeSecret;
import dev.penstock.transport.TlsOptions;
import dev.penstock.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Options for nodes that trust nobody without a certificate and the secret. */
final class Secured {
  private Secured() {}

  /**
   * The same on all nodes, but for the key store.
   *
   * @param keys PKCS#12 or JKS with this node's certificate and private key
   * @param trusted PKCS#12 or JKS with the authority that signed the certificates of all nodes
   * @param password of both
   * @param secret random text of at least 16 bytes, out of the same vault on all nodes
   */
  static TransportOptions options(Path keys, Path trusted, char[] password, String secret)
      throws GeneralSecurityException, IOException {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(KeyStore.getInstance(keys.toFile(), password), password);
    TrustManagerFactory peers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    peers.init(KeyStore.getInstance(trusted.toFile(), password));
    return TransportOptions.builder()
        .tls(TlsOptions.mutual(own, peers))
        .sharedSecret(NodeSecret.ofText(secret))
        .build();
  }
}

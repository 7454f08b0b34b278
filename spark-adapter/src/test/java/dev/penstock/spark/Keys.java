package dev.penstock.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;

/** A key and a certificate for localhost, made with the JDK's keytool, as stores and PEM files. */
record Keys(Path directory) {
  static final String PASSWORD = "pass-of-the-stores";
  private static final String ALGORITHM = "PBEWithHmacSHA256AndAES_256";

  Path store() {
    return directory.resolve("keys.p12");
  }

  static Keys make(Path directory) throws Exception {
    Keys keys = new Keys(directory);
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "EC",
                "-dname",
                "CN=node",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.store().toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.txt").toFile())
            .start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new IOException(Files.readString(directory.resolve("keytool.txt")));
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys.store())) {
      store.load(in, PASSWORD.toCharArray());
    }
    Certificate certificate = store.getCertificate("node");
    Key key = store.getKey("node", PASSWORD.toCharArray());
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("node", certificate);
    try (var out = Files.newOutputStream(directory.resolve("trust.p12"))) {
      trust.store(out, PASSWORD.toCharArray());
    }
    write(directory.resolve("chain.pem"), "CERTIFICATE", certificate.getEncoded());
    write(directory.resolve("key.pem"), "PRIVATE KEY", key.getEncoded());
    write(directory.resolve("old.pem"), "EC PRIVATE KEY", key.getEncoded());
    write(directory.resolve("secret.pem"), "ENCRYPTED PRIVATE KEY", encrypt(key.getEncoded()));
    return keys;
  }

  private static byte[] encrypt(byte[] key) throws GeneralSecurityException, IOException {
    Cipher cipher = Cipher.getInstance(ALGORITHM);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(ALGORITHM)
            .generateSecret(new PBEKeySpec(PASSWORD.toCharArray())),
        new PBEParameterSpec(new byte[16], 10_000));
    byte[] encrypted = cipher.doFinal(key);
    AlgorithmParameters named = AlgorithmParameters.getInstance("PBES2");
    named.init(cipher.getParameters().getEncoded());
    return new EncryptedPrivateKeyInfo(named, encrypted).getEncoded();
  }

  private static void write(Path file, String what, byte[] bytes) throws IOException {
    String text =
        "-----BEGIN "
            + what
            + "-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
            + "\n-----END "
            + what
            + "-----\n";
    Files.writeString(file, text, StandardCharsets.US_ASCII);
  }

  /** Settings for stores. */
  Map<String, String> stores() {
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.ssl.rpc.enabled", "true");
    conf.put("spark.ssl.rpc.keyStore", store().toString());
    conf.put("spark.ssl.rpc.keyStorePassword", PASSWORD);
    conf.put("spark.ssl.rpc.keyStoreType", "PKCS12");
    conf.put("spark.ssl.rpc.trustStore", directory.resolve("trust.p12").toString());
    conf.put("spark.ssl.rpc.trustStorePassword", PASSWORD);
    conf.put("spark.ssl.rpc.trustStoreType", "PKCS12");
    return conf;
  }

  /** Settings for PEM files with this key. */
  Map<String, String> pem(String key) {
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.ssl.rpc.enabled", "true");
    // Or Spark does not take PEM files, not even without OpenSSL.
    conf.put("spark.ssl.rpc.openSslEnabled", "true");
    conf.put("spark.ssl.rpc.certChain", directory.resolve("chain.pem").toString());
    conf.put("spark.ssl.rpc.privateKey", directory.resolve(key).toString());
    if (key.equals("secret.pem")) {
      conf.put("spark.ssl.rpc.privateKeyPassword", PASSWORD);
    }
    return conf;
  }
}

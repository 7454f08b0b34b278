package dev.penstock.spark;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Certificates and keys as PEM files have them. */
final class PemFiles {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  private PemFiles() {}

  static List<Certificate> certificates(File file) throws GeneralSecurityException, IOException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<Certificate> chain = new ArrayList<>();
    Matcher block = BLOCK.matcher(text(file));
    while (block.find()) {
      if (block.group(1).endsWith("CERTIFICATE")) {
        chain.add(factory.generateCertificate(new ByteArrayInputStream(bytes(block))));
      }
    }
    if (chain.isEmpty()) {
      throw new IOException(file + " holds no certificate in PEM form");
    }
    return chain;
  }

  /**
   * Reads a key in PKCS#8.
   *
   * @param password for an encrypted one; may be null
   */
  static PrivateKey key(File file, char[] password) throws GeneralSecurityException, IOException {
    Matcher block = BLOCK.matcher(text(file));
    while (block.find()) {
      String what = block.group(1);
      if (what.equals("PRIVATE KEY")) {
        return key(file, new PKCS8EncodedKeySpec(bytes(block)));
      }
      if (what.equals("ENCRYPTED PRIVATE KEY")) {
        return key(file, decrypt(file, bytes(block), password));
      }
      if (what.endsWith("PRIVATE KEY")) {
        throw new IOException(
            file
                + " holds a key in a form from before PKCS#8; \"openssl pkcs8 -topk8\" converts it");
      }
    }
    throw new IOException(file + " holds no private key in PEM form");
  }

  private static PKCS8EncodedKeySpec decrypt(File file, byte[] bytes, char[] password)
      throws GeneralSecurityException, IOException {
    if (password == null) {
      throw new InvalidKeyException(file + " is encrypted: set spark.ssl.rpc.privateKeyPassword");
    }
    EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(bytes);
    // The JDK names PBES2 with its parts there, and only there.
    String algorithm =
        info.getAlgParameters() == null ? info.getAlgName() : info.getAlgParameters().toString();
    Cipher cipher = Cipher.getInstance(algorithm);
    cipher.init(
        Cipher.DECRYPT_MODE,
        SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password)),
        info.getAlgParameters());
    return info.getKeySpec(cipher);
  }

  private static PrivateKey key(File file, PKCS8EncodedKeySpec spec)
      throws GeneralSecurityException {
    InvalidKeySpecException other = null;
    for (String algorithm : List.of("RSA", "EC", "EdDSA", "RSASSA-PSS")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        other = e;
      }
    }
    throw new InvalidKeySpecException(file + " holds a key of an unknown kind", other);
  }

  private static String text(File file) throws IOException {
    return Files.readString(file.toPath(), StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(Matcher block) {
    return Base64.getMimeDecoder().decode(block.group(2));
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * All that both sides said before the proofs: the canonical bytes of HELLO, those of WELCOME with
 * an empty proof, the hash of the server's certificate. The first byte of what is signed keeps the
 * roles apart, so no proof serves as another.
 */
final class Transcript {
  private static final String MAC = "HmacSHA256";

  private final byte[] hello;
  private final byte[] welcome;
  private final byte[] certificate;

  Transcript(Hello hello, Welcome welcome, Octets serverCertificate) {
    CanonicalFields fields = new CanonicalFields();
    fields.hello(hello);
    this.hello = fields.toByteArray();
    fields.welcome(withProof(welcome, Octets.EMPTY));
    this.welcome = fields.toByteArray();
    this.certificate = serverCertificate.toByteArray();
  }

  /** Empty with an empty key. */
  Octets acceptorProof(Octets key) {
    return sign(key, 'A', Octets.EMPTY);
  }

  /** Empty with an empty key. */
  Octets dialerProof(Octets key, Octets acceptorProof) {
    return sign(key, 'D', acceptorProof);
  }

  /** The key of the session that this handshake starts; empty with an empty secret. */
  Octets sessionKey(Octets secret) {
    return sign(secret, 'S', Octets.EMPTY);
  }

  private Octets sign(Octets key, char role, Octets suffix) {
    if (key.length() == 0) {
      return Octets.EMPTY;
    }
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key.toByteArray(), MAC));
      mac.update((byte) role);
      mac.update(hello);
      mac.update(welcome);
      mac.update(certificate);
      return Octets.copyOf(mac.doFinal(suffix.toByteArray()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(MAC + " is part of every Java platform", e);
    }
  }

  static Welcome withProof(Welcome welcome, Octets proof) {
    return new Welcome(
        welcome.version(),
        welcome.nodeIdHigh(),
        welcome.nodeIdLow(),
        welcome.sessionIdHigh(),
        welcome.sessionIdLow(),
        welcome.resumed(),
        welcome.features(),
        welcome.maxFrameLength(),
        welcome.maxChannels(),
        welcome.heartbeatMillis(),
        welcome.nonce(),
        proof,
        welcome.nodeName());
  }

  static void checkNonce(Octets nonce) {
    if (nonce.length() != WireLimits.NONCE_BYTES) {
      throw new IllegalArgumentException(
          "nonce: expected " + WireLimits.NONCE_BYTES + " random bytes, got " + nonce.length());
    }
  }

  /** The lengths are fixed so that what is signed can be read in one way only. */
  static void checkDigest(String what, Octets digest) {
    if (digest.length() != 0 && digest.length() != WireLimits.PROOF_BYTES) {
      throw new IllegalArgumentException(
          what + ": expected 0 or " + WireLimits.PROOF_BYTES + " bytes, got " + digest.length());
    }
  }
}

package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.wire.Octets;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The proofs against bytes listed by hand; another implementation must find the same. */
class ProofVectorsTest {
  private static final HexFormat HEX = HexFormat.of();

  private static final String FIRST_HELLO =
      "01" // kind
          + "0100" // lowest version
          + "0100" // highest version
          + "0807060504030201" // node id
          + "1817161514131211"
          + "0000000000000000" // session id
          + "0000000000000000"
          + "0000" // lane
          + "01000000" // epoch
          + "0000000000000000" // features
          + "00000100" // longest frame
          + "10270000" // channels
          + "d0070000" // heartbeat
          + "2000" // nonce
          + "000102030405060708090a0b0c0d0e0f"
          + "101112131415161718191a1b1c1d1e1f"
          + "0600" // name
          + "6469616c6572";

  private static final String FIRST_WELCOME =
      "02" // kind
          + "0100" // version
          + "2827262524232221" // node id
          + "3837363534333231"
          + "4847464544434241" // session id
          + "5857565554535251"
          + "00" // resumed
          + "0000000000000000" // features
          + "00400000" // longest frame
          + "f4010000" // channels
          + "e8030000" // heartbeat
          + "2000" // nonce
          + "808182838485868788898a8b8c8d8e8f"
          + "909192939495969798999a9b9c9d9e9f"
          + "0000" // no proof
          + "0800" // name
          + "6163636570746f72";

  private static final String RESUMING_HELLO =
      FIRST_HELLO
          .replace(
              "00000000000000000000000000000000" + "0000" + "01000000",
              "48474645444342415857565554535251" + "0000" + "02000000")
          .replace(
              "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
              "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f");

  private static final String RESUMING_WELCOME =
      FIRST_WELCOME
          .replace("5857565554535251" + "00", "5857565554535251" + "01")
          .replace(
              "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
              "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf");

  private static final String CERTIFICATE = "cc".repeat(32);
  private static final String SECRET = "404142434445464748494a4b4c4d4e4f";

  private static final String ACCEPTOR_PROOF =
      "79564cbfebd15c8c2cda2c1b178b678a98d4f23d9d7a916cde98a3753ab1507b";
  private static final String DIALER_PROOF =
      "25454c2475c8093f9980727dc1e1f4657cc6c3f680166b7f71390fcfa8aee212";
  private static final String SESSION_KEY =
      "1a2335ccc48b1f48dffd46fd3236446957ba598abbc26c7ed43bdbd8bf42354a";
  private static final String RESUMING_ACCEPTOR_PROOF =
      "b131f5ac66a4bb1e76d9a04e0eb317d58b062237098feee88727126f7b1402df";
  private static final String RESUMING_DIALER_PROOF =
      "405d1bde9c3dd4c70b5b3fd8c63d4523e94582b68534346bb806abc3c273a2f2";

  private static final HandshakeConfig ACCEPTOR_CONFIG =
      new HandshakeConfig(1, 1, 0, 16 * 1024, 500, 1_000, Encounter.SECRET);

  @Test
  void shouldProveAFirstContactOverTheListedBytes() throws GeneralSecurityException {
    Encounter met = firstContact();

    assertThat(hex(met.byAcceptor.welcome().proof()))
        .isEqualTo(ACCEPTOR_PROOF)
        .isEqualTo(hmac(SECRET, "41", FIRST_HELLO, FIRST_WELCOME, CERTIFICATE));
    assertThat(hex(met.byDialer.proof()))
        .isEqualTo(DIALER_PROOF)
        .isEqualTo(hmac(SECRET, "44", FIRST_HELLO, FIRST_WELCOME, CERTIFICATE, ACCEPTOR_PROOF));
  }

  @Test
  void shouldDeriveTheSessionKeyFromTheFirstTranscript() throws GeneralSecurityException {
    Encounter met = firstContact();

    assertThat(hex(met.dialerTrust().session().key()))
        .isEqualTo(SESSION_KEY)
        .isEqualTo(hmac(SECRET, "53", FIRST_HELLO, FIRST_WELCOME, CERTIFICATE));
    assertThat(met.acceptorTrust().session().key()).isEqualTo(met.dialerTrust().session().key());
  }

  @Test
  void shouldProveAResumeWithTheSessionKey() throws GeneralSecurityException {
    Encounter first = firstContact();
    OneSession sessions = new OneSession(first.acceptorTrust().session());
    sessions.highestEpoch = 1;
    DialAttempt again =
        DialAttempt.resume(
            first.dialerTrust().session(),
            0,
            2,
            Encounter.dialerNonce(1),
            Encounter.SERVER_CERTIFICATE);
    Encounter met =
        new Encounter(
                new DialerHandshake(Encounter.config(Encounter.SECRET), Encounter.DIALER, again),
                new AcceptorHandshake(
                    ACCEPTOR_CONFIG, Encounter.ACCEPTOR, Encounter.accept(1), sessions))
            .run();

    assertThat(hex(met.byAcceptor.welcome().proof()))
        .isEqualTo(RESUMING_ACCEPTOR_PROOF)
        .isEqualTo(hmac(SESSION_KEY, "41", RESUMING_HELLO, RESUMING_WELCOME, CERTIFICATE));
    assertThat(hex(met.byDialer.proof()))
        .isEqualTo(RESUMING_DIALER_PROOF)
        .isEqualTo(
            hmac(
                SESSION_KEY,
                "44",
                RESUMING_HELLO,
                RESUMING_WELCOME,
                CERTIFICATE,
                RESUMING_ACCEPTOR_PROOF));
    assertThat(hex(met.dialerTrust().session().key())).isEqualTo(SESSION_KEY);
    assertThat(hex(met.acceptorTrust().session().key())).isEqualTo(SESSION_KEY);
  }

  private static Encounter firstContact() {
    return Encounter.of(
            Encounter.config(Encounter.SECRET),
            ACCEPTOR_CONFIG,
            Encounter.firstDial(0),
            SessionLookup.EMPTY)
        .run();
  }

  private static String hex(Octets octets) {
    return HEX.formatHex(octets.toByteArray());
  }

  private static String hmac(String key, String... parts) throws GeneralSecurityException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String part : parts) {
      all.writeBytes(HEX.parseHex(part));
    }
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(HEX.parseHex(key), "HmacSHA256"));
    return HEX.formatHex(mac.doFinal(all.toByteArray()));
  }
}

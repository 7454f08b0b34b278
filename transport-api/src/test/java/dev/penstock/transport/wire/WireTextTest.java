package dev.penstock.transport.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WireTextTest {
  @Test
  void shouldKeepATextThatFits() {
    for (String text : new String[] {"", "abc", "größer", "€", "\uD83D\uDE00"}) {
      byte[] utf8 = text.getBytes(UTF_8);
      assertThat(WireText.encode(text, utf8.length)).isEqualTo(utf8);
      assertThat(WireText.encode(text, utf8.length + 1)).isEqualTo(utf8);
    }
  }

  @Test
  void shouldCutInFrontOfTheCodePointThatDoesNotFit() {
    String text = "aö€\uD83D\uDE00z";
    String[] byLength = {
      "", "a", "a", "aö", "aö", "aö", "aö€", "aö€", "aö€", "aö€", "aö€\uD83D\uDE00", text
    };
    for (int most = 0; most < byLength.length; most++) {
      assertThat(new String(WireText.encode(text, most), UTF_8)).isEqualTo(byLength[most]);
    }
  }

  @Test
  void shouldNotSplitAPairWhereItLooksNoFurther() {
    // The char at index 4, the last that is looked at, is the first half of a pair.
    assertThat(new String(WireText.encode("aaaa\uD83D\uDE00aaaa", 4), UTF_8)).isEqualTo("aaaa");
    assertThat(new String(WireText.encode("aaaa\uD83D\uDE00aaaa", 5), UTF_8)).isEqualTo("aaaa");
  }

  @Test
  void shouldWriteAQuestionMarkForALoneSurrogate() {
    assertThat(new String(WireText.encode("a\uD83Db", 10), UTF_8)).isEqualTo("a?b");
  }

  @Test
  void shouldDecodeWhatItEncoded() throws MalformedFrameException {
    for (String text : new String[] {"", "abc", "größer", "\u20AC", "\uFFFD", "\uD83D\uDE00"}) {
      assertThat(WireText.decode(WireText.encode(text, 64))).isEqualTo(text);
    }
  }

  /** A surrogate in UTF-8 is malformed, and one bit away from U+FFFD. */
  @Test
  void shouldNotReadDamageAsTheReplacementCharacter() {
    byte[] bytes = "\uFFFD".getBytes(UTF_8);
    bytes[0] ^= 2;

    assertThatThrownBy(() -> WireText.decode(bytes))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("UTF-8");
  }
}

package dev.penstock.codec.sbe;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** Lets Jazzer look for bytes that the decoder cannot take, from the golden frames onwards. */
@Tag("fuzz-long")
class DecoderFuzzTest {
  @MethodSource("seeds")
  @FuzzTest(maxDuration = "60s")
  void shouldTakeAnyBytes(byte[] input) {
    DecoderFuzz.run(input);
  }

  static Stream<byte[]> seeds() {
    return DecoderCorpusTest.golden();
  }
}

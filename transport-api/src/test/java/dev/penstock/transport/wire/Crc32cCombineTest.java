package dev.penstock.transport.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.SeedOnFailure;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class Crc32cCombineTest {
  @RegisterExtension final SeedOnFailure seed = new SeedOnFailure("penstock.codec.seed");

  @Test
  void shouldBeTheSumOfBothParts() {
    Random random = new Random(seed.value());
    int[] lengths = {0, 1, 2, 3, 7, 8, 255, 256, 4096, 65_535, 65_536, 1_000_003};
    for (int length : lengths) {
      for (int round = 0; round < 8; round++) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        int cut = length == 0 ? 0 : random.nextInt(length + 1);
        int combined =
            Crc32cCombine.combine(crc(bytes, 0, cut), crc(bytes, cut, length - cut), length - cut);
        assertThat(combined).as("%d cut at %d", length, cut).isEqualTo(crc(bytes, 0, length));
      }
    }
  }

  private static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}

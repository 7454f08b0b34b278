package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.testkit.GoldenVectors.Vector;
import dev.penstock.transport.testkit.SeedOnFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fuzz test's corpus, in every build and without a fuzzer; and mutations of it. */
class DecoderCorpusTest {
  /** Where Jazzer looks for seeds and puts what it finds. */
  private static final Path FINDINGS =
      Path.of("src/test/resources/dev/penstock/codec/sbe/DecoderFuzzTestInputs");

  private static final int MUTATIONS = 20_000;

  @RegisterExtension final SeedOnFailure seed = new SeedOnFailure("penstock.codec.seed");

  @Test
  void shouldTakeTheWholeCorpus() throws IOException {
    List<byte[]> corpus = corpus();
    assertThat(corpus).hasSizeGreaterThan(16);
    for (byte[] input : corpus) {
      DecoderFuzz.run(input);
    }
  }

  @Test
  void shouldTakeMutationsOfTheCorpus() throws IOException {
    List<byte[]> corpus = corpus();
    Random random = new Random(seed.value());
    for (int round = 0; round < MUTATIONS; round++) {
      DecoderFuzz.run(mutated(corpus.get(random.nextInt(corpus.size())), random));
    }
  }

  static Stream<byte[]> golden() {
    return GoldenFramesTest.vectors().stream().map(Vector::bytes).map(DecoderFuzz::input);
  }

  private static List<byte[]> corpus() throws IOException {
    List<byte[]> corpus = new ArrayList<>(golden().toList());
    if (Files.isDirectory(FINDINGS)) {
      try (Stream<Path> files = Files.walk(FINDINGS)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          corpus.add(Files.readAllBytes(file));
        }
      }
    }
    return corpus;
  }

  private static byte[] mutated(byte[] input, Random random) {
    byte[] mutated = Arrays.copyOf(input, Math.max(1, input.length + random.nextInt(5) - 2));
    mutated[0] = (byte) random.nextInt();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(mutated.length);
      mutated[at] = (byte) (random.nextBoolean() ? random.nextInt() : mutated[at] + 1);
    }
    return mutated;
  }
}

package dev.penstock.examples.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.examples.support.ChildOutput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ToyEngineTest {
  @Test
  @Timeout(180)
  void shouldAlignEveryBarrierAtBothSinksAndTakeEveryMessage() throws Exception {
    ChildOutput output = ChildOutput.of(ToyEngine.class, List.of("2"));
    assertThat(output.exitCode()).as("exit code after %s", output.lines()).isZero();
    for (String sink : List.of("sink-0", "sink-1")) {
      for (int epoch = 0; epoch < 2; epoch++) {
        String aligned = sink + ": ALIGNED " + epoch + " [1-9][0-9]*";
        assertThat(output.lines()).anyMatch(line -> line.matches(aligned));
      }
    }
  }
}

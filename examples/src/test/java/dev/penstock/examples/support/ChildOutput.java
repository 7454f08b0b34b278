package dev.penstock.examples.support;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What a program printed in a JVM of its own, until its end.
 *
 * @param lines of its standard output
 * @param exitCode -1 if it did not end
 */
public record ChildOutput(List<String> lines, int exitCode) {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Runs a program. */
  public static ChildOutput of(Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    BlockingQueue<ChildJvm.Line> lines = new LinkedBlockingQueue<>();
    List<String> said = new ArrayList<>();
    try (ChildJvm child = ChildJvm.start(main.getSimpleName(), main, arguments, lines)) {
      ChildJvm.Line line = lines.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      while (line != null && line.text() != null) {
        said.add(line.text());
        line = lines.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      }
      return new ChildOutput(said, child.exitCode(PATIENCE));
    }
  }
}

package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.examples.support.ChildOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HelloTest {
  private static final Path SOURCE =
      Path.of("src", "main", "java", "dev", "penstock", "examples", "Hello.java");

  @Test
  void shouldStandInTheReadmeAsItIsCompiled() throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    int start = readme.indexOf("```java\n") + "```java\n".length();
    String snippet = readme.substring(start, readme.indexOf("```", start));
    assertThat(snippet).isEqualTo(Files.readString(SOURCE));
  }

  @Test
  @Timeout(120)
  void shouldSayHelloAndEnd() throws Exception {
    ChildOutput output = ChildOutput.of(Hello.class, List.of());
    assertThat(output.lines()).containsExactly("Hello", "ACCEPTED, taken and confirmed");
    assertThat(output.exitCode()).isZero();
  }
}

package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.util.jar.JarFile;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Shows that each run of the tests has the Agrona that the build means it to have. */
class AgronaVersionTest {
  @Test
  void shouldRunOnTheAgronaThatThisRunIsFor() throws Exception {
    URL jar = UnsafeBuffer.class.getProtectionDomain().getCodeSource().getLocation();
    try (JarFile file = new JarFile(jar.getPath())) {
      assertThat(file.getManifest().getMainAttributes().getValue("Implementation-Version"))
          .isEqualTo(System.getProperty("penstock.expected.agrona"));
    }
  }
}

package dev.penstock.benchmarks;

import dev.penstock.benchmarks.aeron.AeronSystem;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class AeronTest {

  /** In files instead of shared memory, of which some machines give little. */
  abstract static class InFiles extends PeerContract {
    private final String transport;

    @TempDir Path folder;

    InFiles(String transport) {
      this.transport = transport;
    }

    @Override
    Class<?> system() {
      return AeronSystem.class;
    }

    @Override
    String parameters() {
      return "transport=" + transport + ",term=524288,directory=" + folder.resolve("driver");
    }

    @Override
    String version() {
      return System.getProperty("penstock.peer.version");
    }
  }

  @Nested
  class OverUdp extends InFiles {
    OverUdp() {
      super("udp");
    }
  }

  @Nested
  class ThroughSharedMemory extends InFiles {
    ThroughSharedMemory() {
      super("ipc");
    }
  }
}

package dev.penstock.transport.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ModuleDescriptorTest {
  private static final Set<String> OWN_MODULES =
      Set.of("dev.penstock.codec.sbe", "dev.penstock.transport.netty");

  private final ModuleDescriptor module = readDescriptor();

  @Test
  void shouldRequireNothingButJavaBase() {
    assertThat(module.requires())
        .extracting(ModuleDescriptor.Requires::name)
        .containsExactly("java.base");
  }

  @Test
  void shouldExportTheApiToEveryone() {
    assertThat(exportsTo(Set.of()))
        .containsExactlyInAnyOrder("dev.penstock.transport", "dev.penstock.transport.spi");
  }

  @Test
  void shouldExportTheCoreToTheOwnModulesAlone() {
    assertThat(exportsTo(OWN_MODULES))
        .containsExactlyInAnyOrder(
            "dev.penstock.transport.wire", "dev.penstock.transport.protocol");
    assertThat(module.exports()).hasSize(4);
  }

  private Set<String> exportsTo(Set<String> targets) {
    return module.exports().stream()
        .filter(export -> export.targets().equals(targets))
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toSet());
  }

  private static ModuleDescriptor readDescriptor() {
    URL root = ErrorCode.class.getProtectionDomain().getCodeSource().getLocation();
    try (InputStream in = new URI(root + "module-info.class").toURL().openStream()) {
      return ModuleDescriptor.read(in);
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError("no module descriptor below " + root, e);
    }
  }
}

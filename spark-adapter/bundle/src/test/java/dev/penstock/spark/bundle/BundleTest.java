package dev.penstock.spark.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** What is in the bundle, and that it is enough. */
class BundleTest {
  @Test
  void shouldHoldClassesOfPenstockAlone() throws Exception {
    assertThat(SparkHome.bundleEntries())
        .filteredOn(name -> name.endsWith(".class"))
        .hasSizeGreaterThan(200)
        .allMatch(name -> name.startsWith("dev/penstock/"));
  }

  @Test
  void shouldNameAgronaAndJctoolsByTheirNewNamesAlone() throws Exception {
    List<String> old = new ArrayList<>();
    boolean moved = false;
    try (ZipFile zip = new ZipFile(SparkHome.BUNDLE.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().endsWith(".class")) {
          String text =
              new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.ISO_8859_1);
          moved |= text.contains("dev/penstock/shaded/agrona/");
          if (text.contains("org/agrona") || text.contains("org/jctools")) {
            old.add(entry.getName());
          }
        }
      }
    }
    assertThat(old).isEmpty();
    assertThat(moved).isTrue();
  }

  @Test
  void shouldNameInItsServicesWhatItHolds() throws Exception {
    List<String> entries = SparkHome.bundleEntries();
    List<String> services =
        entries.stream().filter(name -> name.startsWith("META-INF/services/")).toList();
    assertThat(services)
        .containsExactlyInAnyOrder(
            "META-INF/services/dev.penstock.transport.spi.TransportProvider",
            "META-INF/services/dev.penstock.transport.wire.WireCodec");
    try (ZipFile zip = new ZipFile(SparkHome.BUNDLE.toFile())) {
      for (String service : services) {
        String text =
            new String(
                zip.getInputStream(zip.getEntry(service)).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text.lines().filter(line -> !line.isBlank()))
            .isNotEmpty()
            .allMatch(line -> entries.contains(line.replace('.', '/') + ".class"));
      }
    }
  }

  @Test
  void shouldNeedNothingButSparkAndJava() {
    String spark =
        SparkHome.sparkJars().stream().map(Path::toString).collect(Collectors.joining(":"));
    StringWriter out = new StringWriter();
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    int code =
        jdeps.run(
            new PrintWriter(out),
            new PrintWriter(out),
            "--multi-release",
            "base",
            "--missing-deps",
            "--class-path",
            spark,
            SparkHome.BUNDLE.toString());

    assertThat(code).as(out.toString()).isZero();
    // Taken where it is there, and Spark does not bring it.
    assertThat(out.toString().lines().filter(line -> line.startsWith("   ")))
        .isNotEmpty()
        .allMatch(line -> line.contains("io.netty.channel.uring."));
  }

  @Test
  void shouldFindItsServicesWhateverTheThreadsLoaderIs() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path jar : SparkHome.sparkJars()) {
      urls.add(url(jar));
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader spark =
            new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        URLClassLoader jars = new URLClassLoader(new URL[] {url(SparkHome.BUNDLE)}, spark)) {
      thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
      Class<?> options = jars.loadClass("dev.penstock.transport.TransportOptions");
      Object builder = options.getMethod("builder").invoke(null);
      builder.getClass().getMethod("nodeName", String.class).invoke(builder, "alone");
      Object built = builder.getClass().getMethod("build").invoke(builder);
      Class<?> api = jars.loadClass("dev.penstock.transport.Transport");
      Object transport = api.getMethod("open", options).invoke(null, built);

      assertThat(transport.getClass().getClassLoader()).isSameAs(jars);
      assertThat(jars.loadClass("io.netty.buffer.ByteBuf").getClassLoader()).isSameAs(spark);
      api.getMethod("close").invoke(transport);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }
}

package dev.penstock.spark.bundle;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * An installation of Spark as its launcher sees it: its jars, linked from where the build has them,
 * and nothing of Penstock.
 */
final class SparkHome {
  static final Path BUNDLE = Path.of(System.getProperty("penstock.bundle"));
  static final Path WORK = Path.of(System.getProperty("penstock.work"));
  private static final Path HOME = WORK.resolve("spark-home");

  private SparkHome() {}

  /** What an application finds in {@code $SPARK_HOME/jars}. */
  static List<Path> sparkJars() {
    List<Path> jars = new ArrayList<>();
    String[] entries = System.getProperty("java.class.path").split(File.pathSeparator, -1);
    for (String entry : entries) {
      Path path = Path.of(entry);
      String name = path.getFileName().toString();
      if (name.endsWith(".jar")
          && !name.startsWith("penstock-")
          && !name.startsWith("agrona-")
          && !name.startsWith("jctools-core-")) {
        jars.add(path);
      }
    }
    return jars;
  }

  private static void install() throws IOException {
    Path jars = Files.createDirectories(HOME.resolve("jars"));
    for (Path jar : sparkJars()) {
      Path link = jars.resolve(jar.getFileName());
      if (!Files.exists(link)) {
        Files.createSymbolicLink(link, jar.toAbsolutePath());
      }
    }
    if (!Files.exists(HOME.resolve("RELEASE"))) {
      Files.createFile(HOME.resolve("RELEASE"));
    }
  }

  /** The application, in a jar as users have it. */
  static Path applicationJar() throws IOException {
    Path jar = WORK.resolve("application.jar");
    Files.createDirectories(WORK);
    String name = Submitted.class.getName().replace('.', '/');
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      Path directory = Path.of(classes()).resolve(name).getParent();
      try (var files = Files.list(directory)) {
        for (Path each : (Iterable<Path>) files::iterator) {
          String simple = each.getFileName().toString();
          if (simple.startsWith("Submitted")) {
            out.putNextEntry(new ZipEntry(name.substring(0, name.lastIndexOf('/') + 1) + simple));
            Files.copy(each, out);
            out.closeEntry();
          }
        }
      }
    }
    return jar;
  }

  private static URI classes() {
    try {
      return Submitted.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    } catch (java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How a JVM ended, and all that it and its standard error said. */
  record Ended(int code, String text) {}

  /**
   * What {@code bin/spark-submit} does: Spark's launcher prints the command, with Spark's class
   * path and Java's module options, then the command runs.
   */
  static Ended submit(String... arguments) throws IOException, InterruptedException {
    install();
    List<String> launcher = new ArrayList<>();
    launcher.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    launcher.add("-cp");
    launcher.add(HOME.resolve("jars") + "/*");
    launcher.add("org.apache.spark.launcher.Main");
    launcher.add("org.apache.spark.deploy.SparkSubmit");
    launcher.addAll(Arrays.asList(arguments));
    Ended printed = run(launcher, 120);
    if (printed.code() != 0) {
      return printed;
    }
    // Each word of the command ends with a NUL; what stands before is the launcher's own output.
    String words = printed.text().substring(printed.text().lastIndexOf('\n') + 1);
    return run(Arrays.stream(words.split("\0", -1)).filter(word -> !word.isEmpty()).toList(), 500);
  }

  private static Ended run(List<String> command, int seconds)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(WORK, "out", ".txt");
    Process process = builder(command, out).start();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      throw new IllegalStateException(
          "still running after " + seconds + " s: " + command + "\n" + Files.readString(out));
    }
    return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
  }

  private static ProcessBuilder builder(List<String> command, Path out) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = new HashMap<>(builder.environment());
    environment.keySet().removeIf(key -> key.startsWith("SPARK_") || key.equals("CLASSPATH"));
    environment.put("SPARK_HOME", HOME.toAbsolutePath().toString());
    environment.put("SPARK_SCALA_VERSION", "2.13");
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.directory(WORK.toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(out.toFile());
    return builder;
  }

  /** The names of all files in the bundle. */
  static List<String> bundleEntries() throws IOException {
    try (ZipFile zip = new ZipFile(BUNDLE.toFile())) {
      return zip.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
    }
  }
}

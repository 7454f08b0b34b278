package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.fail;

import dev.penstock.transport.testkit.GoldenVectors.Vector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes golden files, on request only: {@code -Dpenstock.golden.write=true}. */
public final class GoldenFile {
  private static final String PROPERTY = "penstock.golden.write";

  private GoldenFile() {}

  /**
   * Writes a file when asked to, and then fails so that nobody takes the run for a check.
   *
   * @param file relative to the module
   * @param content the new content
   */
  public static void writeIfAsked(Path file, String content) {
    if (!Boolean.getBoolean(PROPERTY)) {
      return;
    }
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    fail(file + " was written; read the difference and run again without -D" + PROPERTY);
  }

  /**
   * As {@link #writeIfAsked(Path, String)}, for vectors.
   *
   * @param file relative to the module
   * @param comment what the file is
   * @param vectors the vectors
   */
  public static void writeIfAsked(Path file, String comment, List<Vector> vectors) {
    writeIfAsked(file, GoldenVectors.format(comment, vectors));
  }
}

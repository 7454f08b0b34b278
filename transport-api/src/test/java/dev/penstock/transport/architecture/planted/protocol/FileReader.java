package dev.penstock.transport.architecture.planted.protocol;

import java.nio.file.Files;
import java.nio.file.Path;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class FileReader {
  boolean exists(Path path) {
    return Files.exists(path);
  }
}

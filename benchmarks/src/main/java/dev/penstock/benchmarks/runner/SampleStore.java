package dev.penstock.benchmarks.runner;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples of a run as they come, one line each behind a heading that says what was run, so that
 * a run that was stopped can go on.
 */
final class SampleStore {
  private static final Gson GSON = new Gson();

  private final Path file;
  private final String heading;

  SampleStore(Path file, String heading) {
    this.file = file;
    this.heading = heading;
  }

  /** The samples of an unfinished run with the same heading; none where there is no such run. */
  List<Sample> read() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty() || !lines.get(0).equals(heading)) {
      return List.of();
    }
    List<Sample> samples = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      try {
        samples.add(GSON.fromJson(line, Sample.class));
      } catch (JsonParseException e) {
        // Cut off while it was written: the run goes on from the case before.
        break;
      }
    }
    return samples;
  }

  /** Starts the file with these samples. */
  void start(List<Sample> samples) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, heading + "\n");
    for (Sample sample : samples) {
      append(sample);
    }
  }

  void append(Sample sample) throws IOException {
    Files.writeString(file, GSON.toJson(sample) + "\n", StandardOpenOption.APPEND);
  }

  /** Forgets a finished run. */
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }
}

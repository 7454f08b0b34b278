package dev.penstock.examples.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** The lines that one producer sends, each with the consumer that its key belongs to. */
final class Records {
  private static final String SAMPLE = "flights.csv";
  private static final int SAMPLE_KEY_FIELD = 3; // origin
  private static final long MAX_FILE_BYTES = 1L << 30;

  private final byte[] text;
  private final int[] starts;
  private final int[] lengths;
  private final int[] crcs;
  private final int[] consumers;

  private Records(byte[] text, int[] starts, int[] lengths, int[] crcs, int[] consumers) {
    this.text = text;
    this.starts = starts;
    this.lengths = lengths;
    this.crcs = crcs;
    this.consumers = consumers;
  }

  /**
   * Reads the input and deals its lines out to the producers in turns.
   *
   * @param file a text file, one record per line, the whole line its key; empty for the flights
   *     sample, whose key is the origin
   * @param producers how many producers
   * @param consumers how many consumers
   * @return each producer's records
   */
  static List<Records> load(String file, int producers, int consumers) throws IOException {
    byte[] text = file.isEmpty() ? sample() : read(Path.of(file));
    int[] starts = lineStarts(text, file.isEmpty() ? 1 : 0);
    int lines = starts.length - 1;
    if (lines == 0) {
      throw new IOException("penstock.demo.input: expected at least one line in " + file);
    }
    List<Records> all = new ArrayList<>();
    for (int producer = 0; producer < producers; producer++) {
      // With fewer lines than producers, some producers have the same line.
      all.add(
          share(
              text,
              starts,
              producer % lines,
              producers,
              file.isEmpty() ? SAMPLE_KEY_FIELD : -1,
              consumers));
    }
    return all;
  }

  private static byte[] sample() throws IOException {
    try (InputStream in = Records.class.getResourceAsStream(SAMPLE)) {
      return in.readAllBytes();
    }
  }

  private static byte[] read(Path file) throws IOException {
    long size = Files.size(file);
    if (size > MAX_FILE_BYTES) {
      throw new IOException(
          "penstock.demo.input: expected at most " + MAX_FILE_BYTES + " bytes, got " + size);
    }
    return Files.readAllBytes(file);
  }

  /** Where lines start; the last entry is where one more would. */
  private static int[] lineStarts(byte[] text, int skip) {
    int[] starts = new int[1024];
    int count = 0;
    int line = 0;
    int start = 0;
    while (start < text.length) {
      if (line++ >= skip) {
        if (count + 1 == starts.length) {
          starts = Arrays.copyOf(starts, 2 * starts.length);
        }
        starts[count++] = start;
      }
      start = endOfLine(text, start) + 1;
    }
    starts[count] = start;
    return Arrays.copyOf(starts, count + 1);
  }

  private static int endOfLine(byte[] text, int start) {
    int end = start;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    return end;
  }

  private static Records share(
      byte[] text, int[] lines, int first, int step, int keyField, int consumers) {
    int count = (lines.length - 1 - first + step - 1) / step;
    int[] starts = new int[count];
    int[] lengths = new int[count];
    int[] crcs = new int[count];
    int[] targets = new int[count];
    CRC32C crc = new CRC32C();
    for (int i = 0; i < count; i++) {
      int line = first + i * step;
      starts[i] = lines[line];
      int end = lines[line + 1] - 1;
      if (end > starts[i] && text[end - 1] == '\r') {
        end--;
      }
      lengths[i] = end - starts[i];
      crc.reset();
      crc.update(text, starts[i], lengths[i]);
      crcs[i] = (int) crc.getValue();
      targets[i] = Math.floorMod(keyHash(text, starts[i], end, keyField), consumers);
    }
    return new Records(text, starts, lengths, crcs, targets);
  }

  /** Of one comma-separated field, or of the whole line. */
  private static int keyHash(byte[] text, int start, int end, int field) {
    int hash = 0;
    int at = 0;
    for (int i = start; i < end; i++) {
      if (text[i] == ',') {
        at++;
      } else if (field < 0 || at == field) {
        hash = 31 * hash + text[i];
      }
    }
    return hash ^ (hash >>> 16);
  }

  int count() {
    return starts.length;
  }

  byte[] text() {
    return text;
  }

  int start(int record) {
    return starts[record];
  }

  int length(int record) {
    return lengths[record];
  }

  int crc(int record) {
    return crcs[record];
  }

  int consumer(int record) {
    return consumers[record];
  }
}

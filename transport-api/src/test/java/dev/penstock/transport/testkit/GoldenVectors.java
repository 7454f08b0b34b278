package dev.penstock.transport.testkit;

import dev.penstock.transport.wire.Frames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;

/**
 * Frames and the bytes that they must have, as checked in. A line of {@link PlainText} holds the
 * values, the indented lines behind it hold the bytes in hex; lines that start with {@code #} are
 * comments.
 */
public final class GoldenVectors {
  private static final int BYTES_PER_LINE = 16;

  /**
   * One frame.
   *
   * @param line its values
   * @param hex its bytes in hex, with the payload if it has one
   */
  public record Vector(String line, String hex) {
    /**
     * Makes a vector.
     *
     * @param line the frame's values
     * @param bytes the frame's bytes; not kept
     * @return the vector
     */
    public static Vector of(String line, byte[] bytes) {
      return new Vector(line, HexFormat.of().formatHex(bytes));
    }

    /**
     * The frame's bytes.
     *
     * @return a new array
     */
    public byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }

    /**
     * Makes the frame's call.
     *
     * @param frames what to call
     */
    public void send(Frames frames) {
      PlainText.send(line, frames);
    }

    /**
     * The frame's call as a value.
     *
     * @return what {@link RecordingFrames} sees of it
     */
    public RecordingFrames.Call recorded() {
      RecordingFrames recording = new RecordingFrames();
      send(recording);
      return recording.only();
    }

    @Override
    public String toString() {
      return line;
    }
  }

  private GoldenVectors() {}

  /**
   * Reads a file of vectors.
   *
   * @param owner a class beside whose class path the resource lies
   * @param resource absolute name
   * @return the vectors, in the file's order
   */
  public static List<Vector> read(Class<?> owner, String resource) {
    try (InputStream in = owner.getResourceAsStream(resource)) {
      if (in == null) {
        throw new AssertionError("no resource " + resource);
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes vectors as {@link #read} reads them.
   *
   * @param comment what the file is
   * @param vectors the vectors
   * @return the file's content
   */
  public static String format(String comment, List<Vector> vectors) {
    StringJoiner text = new StringJoiner("\n", "# " + comment + "\n", "\n");
    for (Vector vector : vectors) {
      text.add("").add(vector.line());
      byte[] bytes = vector.bytes();
      for (int at = 0; at < bytes.length; at += BYTES_PER_LINE) {
        int end = Math.min(at + BYTES_PER_LINE, bytes.length);
        text.add("  " + HexFormat.ofDelimiter(" ").formatHex(bytes, at, end));
      }
    }
    return text.toString();
  }

  private static List<Vector> parse(String text) {
    List<Vector> vectors = new ArrayList<>();
    String line = null;
    StringBuilder hex = new StringBuilder();
    for (String next : text.split("\n", -1)) {
      if (next.startsWith(" ")) {
        hex.append(next.replace(" ", ""));
      } else if (!next.isEmpty() && !next.startsWith("#")) {
        add(vectors, line, hex);
        line = next;
      }
    }
    add(vectors, line, hex);
    return List.copyOf(vectors);
  }

  private static void add(List<Vector> vectors, String line, StringBuilder hex) {
    if (line != null) {
      vectors.add(new Vector(line, hex.toString()));
      hex.setLength(0);
    }
  }
}

package dev.penstock.transport.testkit;

import dev.penstock.transport.testkit.SampleFrames.Sample;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Frames as lines of {@link PlainTextCodec}: values that a file can hold and a person can read. */
public final class PlainText {
  private static final Pattern PAYLOAD = Pattern.compile("^data .* length=(\\d+) ");

  private PlainText() {}

  /**
   * The frame as a line.
   *
   * @param sample the frame
   * @return the line without a line feed
   */
  public static String lineOf(Sample sample) {
    ByteBuffer frame = ByteBuffer.allocate(WireLimits.MAX_HEADER_BYTES);
    PlainTextEncoder encoder = new PlainTextEncoder();
    encoder.bind(frame);
    sample.call().accept(encoder);
    int length = frame.position() - Sofh.LENGTH - 1;
    return new String(frame.array(), Sofh.LENGTH, length, StandardCharsets.UTF_8);
  }

  /**
   * Makes the call that a line stands for.
   *
   * @param line a line without a line feed
   * @param frames what to call
   * @throws AssertionError if the line is not a frame
   */
  public static void send(String line, Frames frames) {
    byte[] utf8 = (line + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = ByteBuffer.allocate(Sofh.LENGTH + utf8.length + payloadLength(line));
    Sofh.put(frame, 0, frame.capacity(), PlainTextCodec.ENCODING_TYPE);
    frame.position(Sofh.LENGTH).put(utf8);
    try {
      new PlainTextDecoder().decode(frame, 0, frame.capacity(), frames);
    } catch (MalformedFrameException e) {
      throw new AssertionError(line, e);
    }
  }

  /**
   * How many bytes of payload the frame announces.
   *
   * @param line a line
   * @return 0 unless it is DATA
   */
  public static int payloadLength(String line) {
    Matcher payload = PAYLOAD.matcher(line);
    return payload.find() ? Integer.parseInt(payload.group(1)) : 0;
  }
}

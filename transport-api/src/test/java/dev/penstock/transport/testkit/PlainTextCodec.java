package dev.penstock.transport.testkit;

import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.WireCodec;

/**
 * Frames as lines that a person can read, for tests only: behind the SOFH the frame's name, its
 * field CRC in hex, the fields as {@code name=value}, and a line feed, for example
 *
 * <pre>credit crc=1f2e3d4c channel=1 received=100 consumed=40 limit=4136</pre>
 *
 * <p>It shares nothing with a binary codec: fields have no fixed place or width, numbers are
 * decimal, octets are hex, texts are counted bytes. What works over both does not depend on a
 * codec's bytes.
 */
public final class PlainTextCodec implements WireCodec {
  /** From the range, 1 to 255, that SOFH leaves to private use. */
  public static final int ENCODING_TYPE = 0x00F1;

  /** Creates the codec. */
  public PlainTextCodec() {}

  @Override
  public int encodingType() {
    return ENCODING_TYPE;
  }

  @Override
  public String name() {
    return "plain-text";
  }

  @Override
  public FrameEncoder newEncoder() {
    return new PlainTextEncoder();
  }

  @Override
  public FrameDecoder newDecoder() {
    return new PlainTextDecoder();
  }
}

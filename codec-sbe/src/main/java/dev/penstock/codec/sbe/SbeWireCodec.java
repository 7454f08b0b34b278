package dev.penstock.codec.sbe;

import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.WireCodec;

/**
 * Frames in Simple Binary Encoding 1.0, little-endian. Found with {@link java.util.ServiceLoader};
 * stateless and thread safe. Needs no JVM flag with Agrona 1.x.
 */
public final class SbeWireCodec implements WireCodec {
  /** The encoding type that the Simple Open Framing Header reserves for SBE 1.0, little-endian. */
  public static final int ENCODING_TYPE = 0xEB50;

  /** Creates the codec; {@link java.util.ServiceLoader} needs this to be public. */
  public SbeWireCodec() {}

  @Override
  public int encodingType() {
    return ENCODING_TYPE;
  }

  @Override
  public String name() {
    return "sbe";
  }

  @Override
  public FrameEncoder newEncoder() {
    return new SbeFrameEncoder();
  }

  @Override
  public FrameDecoder newDecoder() {
    return new SbeFrameDecoder();
  }
}

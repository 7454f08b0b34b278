package dev.penstock.transport.wire;

/**
 * A way to lay frames out as bytes. Found with {@link java.util.ServiceLoader} by its encoding
 * type.
 *
 * <p>A codec reads and writes fields only. It never sees a DATA frame's payload: that follows the
 * fields as it lies in memory. Implementations are stateless and thread safe; the encoders and
 * decoders they make are neither.
 */
public interface WireCodec {
  /**
   * The number in the {@link Sofh} of every frame of this codec.
   *
   * @return 1 to 65535; {@code 0xEB50} is SBE 1.0, little-endian; 1 to 255 are for private use
   */
  int encodingType();

  /**
   * A name for messages and options.
   *
   * @return for example {@code "sbe"}
   */
  String name();

  /**
   * Makes an encoder.
   *
   * @return a new one, for one thread at a time
   */
  FrameEncoder newEncoder();

  /**
   * Makes a decoder.
   *
   * @return a new one, for one thread at a time
   */
  FrameDecoder newDecoder();
}

package dev.penstock.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;

/** Makes messages shorter with one of Spark's codecs, each by itself. Any thread. */
final class Compression {
  /** What is shorter does not get shorter still: streams of codecs have headers. */
  static final int LEAST = 256;

  private final CompressionCodec codec;

  private Compression(CompressionCodec codec) {
    this.codec = codec;
  }

  static Compression of(SparkConf conf, String name) {
    return new Compression(name.equals("none") ? null : SparkInternals.codec(conf, name));
  }

  /** Returns the same in fewer bytes, or null if there is nothing to gain. */
  byte[] pack(byte[] bytes, int offset, int length) {
    if (codec == null || length < LEAST) {
      return null;
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream(length);
    try (OutputStream out = codec.compressedOutputStream(packed)) {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.size() < length ? packed.toByteArray() : null;
  }

  byte[] unpack(byte[] bytes, int offset, int length) {
    if (codec == null) {
      throw new IllegalStateException(
          "a message is compressed, but "
              + Settings.COMPRESSION
              + " is none here: it has to be the same everywhere");
    }
    try (InputStream in =
        codec.compressedInputStream(new ByteArrayInputStream(bytes, offset, length))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("a compressed message cannot be read", e);
    }
  }
}

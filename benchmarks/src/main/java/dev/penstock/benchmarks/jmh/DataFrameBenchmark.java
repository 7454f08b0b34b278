package dev.penstock.benchmarks.jmh;

import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.WireCodec;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What do the fields of a DATA frame cost, beside putting the same numbers without schema and
 * checksum?
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DataFrameBenchmark {
  private static final int PAYLOAD = 32 * 1024;

  private final ByteBuffer target = ByteBuffer.allocateDirect(WireLimits.MAX_HEADER_BYTES);
  private final ByteBuffer frame = ByteBuffer.allocateDirect(WireLimits.MAX_HEADER_BYTES + PAYLOAD);
  private final DataSum sum = new DataSum();
  private FrameEncoder encoder;
  private FrameDecoder decoder;
  private int frameLength;
  private long position;

  /** Finds the codec, and encodes the frame to be decoded. */
  @Setup
  public void setUp() {
    WireCodec codec = ServiceLoader.load(WireCodec.class).findFirst().orElseThrow();
    FrameEncoder once = codec.newEncoder();
    once.bind(frame);
    once.data(7, PAYLOAD, 315, 315, 0, PAYLOAD, 0, PAYLOAD, 0x12345678);
    frameLength = frame.position() + PAYLOAD;
    encoder = codec.newEncoder();
    encoder.bind(target);
    decoder = codec.newDecoder();
  }

  /** The codec writes the fields and their checksum. */
  @Benchmark
  public int encode() {
    target.clear();
    position += PAYLOAD;
    encoder.data(7, position, position, 315, 0, PAYLOAD, 0, PAYLOAD, 0x12345678);
    return target.position();
  }

  /** The codec reads the fields and checks them. */
  @Benchmark
  public long decode() throws MalformedFrameException {
    decoder.decode(frame, 0, frameLength, sum);
    return sum.value();
  }

  /** Baseline: as many bytes, put one after the other. */
  @Benchmark
  public int put() {
    target.clear();
    position += PAYLOAD;
    target.putInt(frameLength).putInt(0x1234);
    target.putInt(7).putLong(position).putLong(position).putInt(315).putInt(0);
    target.putInt(PAYLOAD).putLong(0).putInt(PAYLOAD).putInt(0x12345678);
    return target.position();
  }
}

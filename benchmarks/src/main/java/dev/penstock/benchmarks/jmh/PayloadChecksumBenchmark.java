package dev.penstock.benchmarks.jmh;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What does the checksum of a payload cost, beside copying the payload once? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class PayloadChecksumBenchmark {
  /** Bytes of the payload. */
  @Param({"104", "4096", "32768"})
  int size;

  private final CRC32C crc = new CRC32C();
  private ByteBuffer payload;
  private ByteBuffer copy;

  /** Fills the payload. */
  @Setup
  public void setUp() {
    byte[] bytes = new byte[size];
    ThreadLocalRandom.current().nextBytes(bytes);
    payload = ByteBuffer.allocateDirect(size).put(bytes).flip();
    copy = ByteBuffer.allocateDirect(size);
  }

  /** CRC32C of the JDK over direct memory. */
  @Benchmark
  public long checksum() {
    crc.reset();
    crc.update(payload);
    payload.rewind();
    return crc.getValue();
  }

  /** Baseline: one copy. */
  @Benchmark
  public ByteBuffer copy() {
    return copy.put(0, payload, 0, size);
  }
}

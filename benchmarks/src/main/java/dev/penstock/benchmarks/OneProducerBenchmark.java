package dev.penstock.benchmarks;

import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * How many records one producer thread sends while the consumers keep up with them? The baseline is
 * the blocking socket. With {@code -prof gc} it shows what a record allocates on both sides.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(1)
@Fork(3)
@Warmup(iterations = 4, time = 3)
@Measurement(iterations = 3, time = 3)
public class OneProducerBenchmark {

  /** The system that all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    /** What carries the records. */
    @Param({"raw-socket", "netty", "penstock"})
    String system;

    /** What is sent. */
    @Param({"W1/1x1", "W3/1x1", "W4/1x1"})
    String workload;

    private JmhHalves halves;

    /** Connects both halves. */
    @Setup
    public void open() throws Exception {
      halves = new JmhHalves(system, workload);
    }

    /** Waits for the consumers. */
    @TearDown
    public void close() throws Exception {
      halves.close();
    }
  }

  /** What belongs to one thread. */
  @State(Scope.Thread)
  public static class Sender {
    private Producer producer;
    private RecordPool pool;
    private long next;

    /** Opens this thread's producer. */
    @Setup
    public void open(Shared shared, ThreadParams thread) throws Exception {
      producer = shared.halves.producer(thread.getThreadIndex());
      pool = shared.halves.records(thread.getThreadIndex());
    }

    /** Ends its channels. */
    @TearDown
    public void close(Shared shared) throws Exception {
      producer.close();
    }
  }

  /** Sends one record. */
  @Benchmark
  public void send(Sender sender) throws Exception {
    long number = sender.next++;
    sender.producer.send(sender.pool.consumer(number), sender.pool.record(number));
  }
}

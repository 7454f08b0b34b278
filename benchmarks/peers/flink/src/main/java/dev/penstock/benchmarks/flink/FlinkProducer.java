package dev.penstock.benchmarks.flink;

import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Workload;
import java.io.IOException;
import org.apache.flink.runtime.io.network.api.writer.RecordWriter;
import org.apache.flink.runtime.io.network.partition.ResultPartition;

/** Emits records to the subpartition of their consumer. */
final class FlinkProducer implements Producer {
  private final RecordWriter<FlinkRecord> writer;
  private final ResultPartition partition;
  private final FlinkRecord record;
  private final boolean flushesItself;

  FlinkProducer(RecordWriter<FlinkRecord> writer, ResultPartition partition, Workload workload) {
    this.writer = writer;
    this.partition = partition;
    this.record = new FlinkRecord(workload.recordSize());
    this.flushesItself = workload.paced();
  }

  @Override
  public void send(int consumer, byte[] bytes) throws IOException {
    record.set(bytes);
    writer.emit(record, consumer);
  }

  @Override
  public void flush() {
    if (!flushesItself) {
      writer.flushAll();
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
    partition.finish();
    partition.flushAll();
  }
}

package dev.penstock.spark;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.FinishResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.checksum.RowBasedChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/**
 * Writes one map task's records straight to the tasks that read them, and ends when all of those
 * have taken everything. It runs in the writers' job of its generation, nowhere else.
 */
final class PipelinedWriter<K, V> extends ShuffleWriter<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(PipelinedWriter.class);
  private static final int CHECK_EVERY = 256;

  private final ExecutorNode node;
  private final ShuffleDependency<K, V, ?> dependency;
  private final WriterSession session;
  private final RowBasedChecksum[] checksums;
  private final int map;
  private final long mapId;
  private final TaskContext context;
  private final ShuffleWriteMetricsReporter metrics;
  private long rows;
  private boolean reported;
  private long[] lengths;

  PipelinedWriter(
      ExecutorNode node,
      ShuffleDependency<K, V, ?> dependency,
      GenerationKey key,
      boolean realTime,
      long mapId,
      TaskContext context,
      ShuffleWriteMetricsReporter metrics) {
    this.node = node;
    this.dependency = dependency;
    this.session = new WriterSession(key);
    // Spark compares them if the map side runs again, which that of a Real-Time query never does.
    this.checksums = realTime ? new RowBasedChecksum[0] : dependency.rowBasedChecksums();
    this.map = context.partitionId();
    this.mapId = mapId;
    this.context = context;
    this.metrics = metrics;
    this.lengths = new long[dependency.partitioner().numPartitions()];
  }

  @Override
  public void write(Iterator<Product2<K, V>> records) {
    node.add(session);
    node.metrics().activeWriters.incrementAndGet();
    try {
      writeAdmitted(records);
    } catch (WriterSession.NotNeededException e) {
      LOG.debug("map {} of generation {} ends early", map, session.key());
    } catch (Throwable e) {
      report(e);
      throw e;
    } finally {
      node.metrics().activeWriters.decrementAndGet();
      node.remove(session);
    }
  }

  private void writeAdmitted(Iterator<Product2<K, V>> records) {
    GenerationKey key = session.key();
    int attempt = Math.max(context.attemptNumber(), context.stageAttemptNumber());
    Message answer =
        node.ask(
            new Message.WriterUp(node.executor(), key.exchange(), key.attempt(), map, attempt));
    if (answer instanceof Message.NotNeeded) {
      return;
    }
    if (answer instanceof Message.Refused refused) {
      throw new IllegalStateException(refused.reason());
    }
    long bytes = node.settings().writerBytes();
    TaskMemory memory =
        TaskMemory.reserve(context.taskMemoryManager(), bytes, Settings.WRITER_MEMORY);
    try (memory;
        OutputGate gate = open(bytes)) {
      GateWriter out =
          new GateWriter(
              gate,
              node.settings().messageBytes(),
              node.compression(),
              context,
              session,
              metrics,
              node.metrics());
      lengths = out.lengths();
      try {
        if (writeAll(records, out, gate)) {
          finish(gate);
        }
      } catch (Throwable e) {
        if (!(e instanceof WriterSession.NotNeededException)) {
          // First the driver, who then knows the cause, then the readers, who see the effect.
          report(e);
          gate.abort(ErrorCode.APPLICATION_ERROR, text(e));
        }
        throw e;
      }
    }
    var unused =
        node.ask(
            new Message.WriterDone(
                key.exchange(),
                key.attempt(),
                map,
                rows,
                Arrays.stream(lengths).sum(),
                RowBasedChecksum.getAggregatedChecksumValue(checksums)));
  }

  private OutputGate open(long bytes) {
    int consumers = dependency.partitioner().numPartitions();
    return node.transport()
        .openOutput(
            OutputGateOptions.builder(session.key().exchange(), map, consumers)
                .attempt(session.key().attempt())
                .budget(node.transport().createBudget(bytes, consumers))
                .build());
  }

  /** Returns false if every reader has enough. */
  private boolean writeAll(Iterator<Product2<K, V>> records, GateWriter out, OutputGate gate) {
    RecordSink sink;
    StreamSink stream = null;
    if (UnsafeRows.handles(dependency.serializer())) {
      sink = UnsafeRows.sink(dependency.serializer(), out);
    } else {
      stream =
          new StreamSink(
              dependency.serializer(), gate.consumers(), node.settings().batchBytes(), out);
      session.onFlush(stream::flushOld);
      sink = stream;
    }
    try {
      Iterator<?> combined = combine(records);
      while (combined.hasNext()) {
        Product2<?, ?> record = (Product2<?, ?>) combined.next();
        int partition = dependency.partitioner().getPartition(record._1());
        if (checksums.length > 0) {
          checksums[partition].update(record._1(), record._2());
        }
        sink.write(partition, record._1(), record._2());
        metrics.incRecordsWritten(1);
        if (++rows % CHECK_EVERY == 0) {
          session.check();
          if (allStopped(gate)) {
            return false;
          }
        }
      }
      sink.flush();
      return true;
    } finally {
      node.metrics().recordsWritten.add(rows);
      session.onFlush(() -> {});
      if (stream != null) {
        stream.close();
      }
    }
  }

  private Iterator<?> combine(Iterator<Product2<K, V>> records) {
    return dependency.mapSideCombine()
        ? dependency.aggregator().get().combineValuesByKey(records, context)
        : records;
  }

  private static boolean allStopped(OutputGate gate) {
    for (int i = 0; i < gate.consumers(); i++) {
      if (gate.outcome(i) != dev.penstock.transport.Outcome.STOPPED) {
        return false;
      }
    }
    return true;
  }

  private void finish(OutputGate gate) {
    CompletableFuture<FinishResult> result = gate.finish();
    while (true) {
      try {
        result.get(100, TimeUnit.MILLISECONDS).orThrow();
        return;
      } catch (TimeoutException e) {
        context.killTaskIfInterrupted();
        session.check();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        context.killTaskIfInterrupted();
        throw new IllegalStateException("interrupted while readers take the rest", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  private void report(Throwable failure) {
    if (reported) {
      return;
    }
    reported = true;
    GenerationKey key = session.key();
    try {
      var unused =
          node.ask(new Message.WriterFailed(key.exchange(), key.attempt(), map, text(failure)));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  static String text(Throwable failure) {
    return failure.getMessage() == null ? failure.getClass().getName() : failure.toString();
  }

  @Override
  public Option<MapStatus> stop(boolean success) {
    return success
        ? Option.apply(
            SparkInternals.mapStatus(
                SparkEnv.get().blockManager().shuffleServerId(),
                lengths,
                mapId,
                RowBasedChecksum.getAggregatedChecksumValue(checksums)))
        : Option.empty();
  }

  @Override
  public long[] getPartitionLengths() {
    return lengths.clone();
  }
}

package dev.penstock.spark;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.Aggregator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.checksum.RowBasedChecksum;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** Reads one reduce partition while its writers write. */
final class PipelinedReader<K, C> implements ShuffleReader<K, C> {
  /** How often a task attempt has read a shuffle; counted while the task runs. */
  private static final Map<Reading, AtomicInteger> ORDINALS = new ConcurrentHashMap<>();

  private record Reading(long taskAttempt, int shuffle, int partition) {}

  private final ExecutorNode node;
  private final ShuffleDependency<K, ?, C> dependency;
  private final boolean realTime;
  private final int partition;
  private final boolean whole;
  private final TaskContext context;
  private final ShuffleReadMetricsReporter metrics;

  PipelinedReader(
      ExecutorNode node,
      ShuffleDependency<K, ?, C> dependency,
      boolean realTime,
      int partition,
      boolean whole,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    this.node = node;
    this.dependency = dependency;
    this.realTime = realTime;
    this.partition = partition;
    this.whole = whole;
    this.context = context;
    this.metrics = metrics;
  }

  @Override
  @SuppressWarnings("unchecked")
  public Iterator<Product2<K, C>> read() {
    Reading reading = new Reading(context.taskAttemptId(), dependency.shuffleId(), partition);
    int ordinal =
        ORDINALS.computeIfAbsent(reading, unused -> new AtomicInteger()).getAndIncrement();
    TaskMemory memory =
        TaskMemory.reserve(
            context.taskMemoryManager(), node.settings().readerBytes(), Settings.READER_MEMORY);
    ReaderSession session = new ReaderSession(node, partition);
    node.metrics().activeReaders.incrementAndGet();
    AtomicReference<RecordSource> reader = new AtomicReference<>();
    var unused =
        context.addTaskCompletionListener(
            done -> {
              ORDINALS.remove(reading);
              if (reader.get() != null) {
                reader.get().report();
              }
              session.close();
              memory.close();
              context.taskMetrics().mergeShuffleReadMetrics();
              node.metrics().activeReaders.decrementAndGet();
            });
    node.add(session);
    Message answer =
        node.ask(
            new Message.Open(
                node.executor(),
                session.number(),
                dependency.shuffleId(),
                partition,
                context.stageId(),
                context.stageAttemptNumber(),
                context.partitionId(),
                context.attemptNumber(),
                ordinal,
                context.numPartitions(),
                whole));
    if (!(answer instanceof Message.Ok)) {
      throw new IllegalStateException("the driver answered " + answer);
    }
    RecordSource source =
        new RecordSource(
            node,
            session,
            dependency.shuffleId(),
            partition,
            realTime,
            dependency.serializer(),
            context,
            metrics,
            () -> {
              session.close();
              memory.close();
              context.taskMetrics().mergeShuffleReadMetrics();
            });
    reader.set(source);
    return (Iterator<Product2<K, C>>) (Iterator<?>) arrange((Iterator<?>) source);
  }

  /** Aggregates and sorts as the dependency asks for, with Spark's own means. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private Iterator<?> arrange(Iterator<?> records) {
    Option<Aggregator> aggregator = (Option) dependency.aggregator();
    if (dependency.keyOrdering().isDefined()) {
      Option<Aggregator> atReader = aggregator;
      if (aggregator.isDefined() && dependency.mapSideCombine()) {
        var merge = aggregator.get().mergeCombiners();
        atReader = Option.apply(new Aggregator(new Identity(), merge, merge));
      }
      ExternalSorter sorter =
          new ExternalSorter(
              context,
              atReader,
              Option.empty(),
              dependency.keyOrdering(),
              dependency.serializer(),
              new RowBasedChecksum[0]);
      return sorter.insertAllAndUpdateMetrics(records);
    }
    if (aggregator.isDefined()) {
      return dependency.mapSideCombine()
          ? aggregator.get().combineCombinersByKey(records, context)
          : aggregator.get().combineValuesByKey(records, context);
    }
    return records;
  }

  private static final class Identity extends AbstractFunction1<Object, Object>
      implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object apply(Object value) {
      return value;
    }
  }
}

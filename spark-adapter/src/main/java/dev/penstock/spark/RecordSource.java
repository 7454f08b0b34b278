package dev.penstock.spark;

import dev.penstock.transport.InputGate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The records of one reduce partition as they come. A record that was handed out stays valid until
 * the next call of {@code next}, so two blocks take turns.
 */
final class RecordSource extends AbstractIterator<Tuple2<Object, Object>> {
  private static final int MESSAGES = 256;
  private static final Duration STEP = Duration.ofMillis(100);

  /** How long the driver may take to answer a reader that it cannot reach. */
  private static final Duration LOST = Duration.ofSeconds(30);

  private final ExecutorNode node;
  private final ReaderSession session;
  private final int shuffle;
  private final int partition;
  private final boolean realTime;
  private final TaskContext context;
  private final ShuffleReadMetricsReporter metrics;
  private final SerializerInstance serializer;
  private final UnsafeRows.RowView row;
  private final Runnable onEnd;
  private final Tuple2<Object, Object> reused;
  private Blocks front;
  private Blocks back;
  private Iterator<Tuple2<Object, Object>> stream = null;
  private boolean ended;
  private long records;
  private long reported;

  RecordSource(
      ExecutorNode node,
      ReaderSession session,
      int shuffle,
      int partition,
      boolean realTime,
      Serializer serializer,
      TaskContext context,
      ShuffleReadMetricsReporter metrics,
      Runnable onEnd) {
    this.node = node;
    this.session = session;
    this.shuffle = shuffle;
    this.partition = partition;
    this.realTime = realTime;
    this.context = context;
    this.metrics = metrics;
    this.serializer = serializer.newInstance();
    this.row = UnsafeRows.handles(serializer) ? UnsafeRows.view(serializer) : null;
    this.reused = row == null ? null : new Tuple2<>(0, row.pointTo(new byte[0], 0, 0));
    this.onEnd = onEnd;
    Map<Integer, ByteArrayOutputStream> pieces = Blocks.pieces();
    this.front = new Blocks(session, pieces);
    this.back = new Blocks(session, pieces);
  }

  @Override
  public boolean hasNext() {
    if (stream != null && stream.hasNext()) {
      return true;
    }
    while (!front.hasNext()) {
      if (ended || !fill()) {
        return false;
      }
    }
    if (row != null) {
      return true;
    }
    front.advance();
    stream =
        serializer
            .deserializeStream(
                new ByteArrayInputStream(front.bytes(), front.offset(), front.length()))
            .asKeyValueIterator();
    return hasNext();
  }

  @Override
  public Tuple2<Object, Object> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("shuffle " + shuffle + ", partition " + partition);
    }
    metrics.incRecordsRead(1);
    records++;
    if (row == null) {
      return stream.next();
    }
    front.advance();
    row.pointTo(front.bytes(), front.offset(), front.length());
    return reused;
  }

  /** Gets at least one message, or false at the end. */
  private boolean fill() {
    Blocks next = back;
    next.clear();
    long start = System.nanoTime();
    try {
      while (!next.hasNext()) {
        context.killTaskIfInterrupted();
        giveUpIfTold();
        if (!session.opened()) {
          session.await(STEP.toMillis());
        } else if (isOver()) {
          end();
          return false;
        } else {
          session.gate().poll(next, MESSAGES, STEP);
          if (next.failure() != null) {
            failed(next);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      context.killTaskIfInterrupted();
      throw new IllegalStateException("interrupted while reading shuffle " + shuffle, e);
    } finally {
      metrics.incFetchWaitTime((System.nanoTime() - start) / 1_000_000);
    }
    count(next);
    back = front;
    front = next;
    return true;
  }

  private boolean isOver() {
    if (session.maps() == 0) {
      return true;
    }
    InputGate gate = session.gate();
    return gate.isEnded();
  }

  /** Waits until the driver has counted all writers in: their accumulators belong to this job. */
  private void end() throws InterruptedException {
    Blocks last = back;
    if (last.failure() != null || front.failure() != null) {
      failed(last.failure() != null ? last : front);
    }
    while (session.maps() > 0 && !session.complete()) {
      context.killTaskIfInterrupted();
      giveUpIfTold();
      session.await(STEP.toMillis());
    }
    ended = true;
    report();
    onEnd.run();
  }

  private void failed(Blocks blocks) throws InterruptedException {
    GenerationKey key = session.key();
    String reason = blocks.failure().getMessage();
    var unused =
        node.ask(new Message.ReaderFailed(key.exchange(), key.attempt(), partition, reason));
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (System.nanoTime() - deadline < 0) {
      context.killTaskIfInterrupted();
      giveUpIfTold();
      session.await(STEP.toMillis());
    }
    throw new IllegalStateException(
        "a writer of shuffle " + shuffle + " failed and the driver said nothing: " + reason,
        blocks.failure());
  }

  private void giveUpIfTold() throws InterruptedException {
    Message.GiveUp told = session.giveUp();
    String lost = session.lost();
    if (told == null && lost == null) {
      return;
    }
    String message = "Penstock, shuffle " + shuffle + ": " + (told == null ? lost : told.reason());
    if (!realTime && (told == null ? isSort(lost) : told.fallBack())) {
      // Constructing it marks the task, so it is thrown at once. No executor is blamed.
      throw Sneaky.<RuntimeException>raise(
          new FetchFailedException(null, shuffle, -1L, -1, partition, message, null));
    }
    throw new IllegalStateException(message);
  }

  /** Adds what was handed out since to the executor's counter; on the task's thread. */
  void report() {
    node.metrics().recordsRead.add(records - reported);
    reported = records;
  }

  /** Before Spark hears of it the scheduler must know that the map stage has to run. */
  private boolean isSort(String reason) throws InterruptedException {
    Message question =
        new Message.TrackerLost(shuffle, context.stageId(), context.stageAttemptNumber(), reason);
    long deadline = System.nanoTime() + LOST.toNanos();
    while (node.ask(question) instanceof Message.Later) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      context.killTaskIfInterrupted();
      Thread.sleep(STEP.toMillis());
    }
    return true;
  }

  private void count(Blocks blocks) {
    report();
    if (blocks.localBytes() > 0) {
      metrics.incLocalBytesRead(blocks.localBytes());
      metrics.incLocalBlocksFetched(1);
    }
    if (blocks.remoteBytes() > 0) {
      metrics.incRemoteBytesRead(blocks.remoteBytes());
      metrics.incRemoteBlocksFetched(1);
    }
    node.metrics().bytesRead.add(blocks.localBytes() + blocks.remoteBytes());
  }
}

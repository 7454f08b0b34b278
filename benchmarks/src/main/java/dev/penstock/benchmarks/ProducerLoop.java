package dev.penstock.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What each producer thread does, the same for every system. */
final class ProducerLoop {
  private static final VarHandle HEAD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int RECORDS_PER_CHECK = 64;

  private final Producer producer;
  private final Workload workload;
  private final int index;
  private final BooleanSupplier stopping;
  private final RecordPool pool;
  private long attempts;
  private long records;
  private long checksum;

  ProducerLoop(Producer producer, Workload workload, int index, BooleanSupplier stopping) {
    this.producer = producer;
    this.workload = workload;
    this.index = index;
    this.stopping = stopping;
    this.pool = new RecordPool(workload, index);
  }

  /** Sends record after record until told to stop. */
  Totals fullSpeed() throws Exception {
    boolean mayDrop = workload.has(Trait.OTHERS_COUNT);
    while (!stopping.getAsBoolean()) {
      if (mayDrop) {
        sendOrDropSome();
      } else {
        sendSome();
      }
    }
    producer.flush();
    return new Totals(records, checksum);
  }

  private void sendSome() throws Exception {
    long sum = 0;
    for (long next = records; next < records + RECORDS_PER_CHECK; next++) {
      producer.send(pool.consumer(next), pool.record(next));
      sum += pool.head(next);
    }
    records += RECORDS_PER_CHECK;
    checksum += sum;
  }

  /** Consumer 0 gets what it has room for: it must not keep this thread from serving the others. */
  private void sendOrDropSome() throws Exception {
    for (int i = 0; i < RECORDS_PER_CHECK; i++) {
      long next = attempts++;
      int consumer = pool.consumer(next);
      if (consumer != 0) {
        producer.send(consumer, pool.record(next));
      } else if (!producer.trySend(consumer, pool.record(next))) {
        continue;
      }
      records++;
      checksum += pool.head(next);
    }
  }

  /**
   * Sends each record when it is due and flushes it at once. A record carries the time at which it
   * was due, so that a late producer counts against the latency instead of hiding it.
   */
  Totals paced(Schedule schedule) throws Exception {
    TimerSlack.minimise();
    long interval = 1_000_000_000L * workload.producers() / workload.ratePerSecond();
    long due = schedule.startNanos() + interval * index / workload.producers();
    long end = schedule.recordUntil();
    while (due - end < 0 && !stopping.getAsBoolean()) {
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      byte[] record = pool.record(records);
      HEAD.set(record, 0, due);
      producer.send(pool.consumer(records), record);
      producer.flush();
      records++;
      checksum += due;
      due += interval;
    }
    return new Totals(records, checksum);
  }
}

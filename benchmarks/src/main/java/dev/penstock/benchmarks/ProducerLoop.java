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
    while (!stopping.getAsBoolean()) {
      sendSome();
    }
    producer.flush();
    return new Totals(records, checksum);
  }

  private void sendSome() throws Exception {
    int mask = pool.mask();
    long sum = 0;
    for (int i = 0; i < RECORDS_PER_CHECK; i++) {
      int next = (int) (records + i) & mask;
      producer.send(pool.consumer(next), pool.record(next));
      sum += pool.head(next);
    }
    records += RECORDS_PER_CHECK;
    checksum += sum;
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
      int next = (int) records & pool.mask();
      byte[] record = pool.record(next);
      HEAD.set(record, 0, due);
      producer.send(pool.consumer(next), record);
      producer.flush();
      records++;
      checksum += due;
      due += interval;
    }
    return new Totals(records, checksum);
  }
}

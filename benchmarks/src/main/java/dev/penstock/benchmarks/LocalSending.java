package dev.penstock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Producer threads in this JVM. */
final class LocalSending implements Sending {
  private final List<CompletableFuture<Totals>> results = new ArrayList<>();
  private final MessageSystem system;
  private final Workload workload;
  private volatile boolean stopping;

  LocalSending(MessageSystem system, Workload workload) {
    this.system = system;
    this.workload = workload;
  }

  @Override
  public void start(Schedule schedule) {
    for (int i = 0; i < workload.producers(); i++) {
      int index = i;
      CompletableFuture<Totals> result = new CompletableFuture<>();
      results.add(result);
      Thread thread = new Thread(() -> produce(index, schedule, result), "bench-producer-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void produce(int index, Schedule schedule, CompletableFuture<Totals> result) {
    try {
      result.complete(produce(index, schedule));
    } catch (Throwable e) {
      // Whatever it is, the case must hear of it: this thread has nobody else to tell.
      result.completeExceptionally(e);
    }
  }

  private Totals produce(int index, Schedule schedule) throws Exception {
    try (Producer producer = system.producer(index)) {
      ProducerLoop loop = new ProducerLoop(producer, workload, index, () -> stopping);
      return workload.paced() ? loop.paced(schedule) : loop.fullSpeed();
    }
  }

  @Override
  public void check() throws Exception {
    for (CompletableFuture<Totals> result : results) {
      if (result.isCompletedExceptionally()) {
        result.get();
      }
    }
  }

  @Override
  public Totals stop(Duration deadline) throws Exception {
    stopping = true;
    Totals totals = Totals.NONE;
    for (CompletableFuture<Totals> result : results) {
      totals = totals.plus(result.get(deadline.toMillis(), TimeUnit.MILLISECONDS));
    }
    return totals;
  }

  @Override
  public void close() {
    stopping = true;
  }
}

package dev.penstock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** The sinks of a case and the number of channels that have not ended yet. */
final class Receivers<S extends RecordSink> implements Sinks {
  private final IntFunction<S> factory;
  private final List<S> sinks = new ArrayList<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private Consumer<S> preparation = sink -> {};
  private int open;

  Receivers(int channels, IntFunction<S> factory) {
    this.open = channels;
    this.factory = factory;
  }

  @Override
  public synchronized RecordSink sink(int consumer) {
    S sink = factory.apply(consumer);
    preparation.accept(sink);
    sinks.add(sink);
    return sink;
  }

  @Override
  public synchronized void ended(int channels) {
    open -= channels;
    if (open < 0) {
      done.completeExceptionally(new IllegalStateException("more channels ended than there are"));
    } else if (open == 0) {
      done.complete(null);
    }
  }

  @Override
  public void failed(Throwable cause) {
    done.completeExceptionally(cause);
  }

  /** Prepares the sinks that there are, and those to come. */
  synchronized void onEach(Consumer<S> prepare) {
    preparation = prepare;
    sinks.forEach(prepare);
  }

  synchronized List<S> all() {
    return List.copyOf(sinks);
  }

  /** Fails at once when receiving has failed. */
  void check() throws ExecutionException, InterruptedException {
    if (done.isCompletedExceptionally()) {
      done.get();
    }
  }

  /**
   * Waits until all channels have ended; the lock of {@link #ended} makes the sinks' plain fields
   * visible.
   */
  void await(Duration deadline) throws ExecutionException, InterruptedException, TimeoutException {
    done.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }
}

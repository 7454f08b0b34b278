package dev.penstock.spark;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Makes an application's first shuffle wait for its first executor. Before there is one nobody
 * knows how many slots there will be, and its job could not run anyway; what is guessed wrong costs
 * a stage attempt.
 */
final class FirstExecutor {
  private final CountDownLatch up = new CountDownLatch(1);

  /** There is one; from any thread. */
  void added() {
    up.countDown();
  }

  /**
   * Asks for the number of slots, and if there are none waits for the first executor and asks
   * again. Blocks the calling thread; its interruption ends the wait and is kept.
   *
   * @return the slots, or 0 if nobody knows
   */
  int await(IntSupplier slots, long millis) {
    int now = slots.getAsInt();
    if (now > 0) {
      return now;
    }
    try {
      if (!up.await(millis, TimeUnit.MILLISECONDS)) {
        return 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
    return slots.getAsInt();
  }
}

package dev.penstock.transport.netty;

import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;

/**
 * How application threads tell a lane's loop which channels have something to send: a set of
 * channels, and at most one task on the loop while it is behind.
 *
 * <p>{@link #signal} may be called by any thread, the rest on the loop.
 *
 * @param <C> what stands for a channel
 */
final class LaneSignals<C> {
  private static final int QUEUE_CHUNK = 256;

  private final MpscUnboundedVarHandleArrayQueue<C> ready =
      new MpscUnboundedVarHandleArrayQueue<>(QUEUE_CHUNK);
  private final AtomicBoolean pending = new AtomicBoolean();
  private final Executor loop;
  private final Runnable turn;

  /**
   * Creates an empty set.
   *
   * @param loop the lane's event loop
   * @param turn what it runs; it must call {@link #begin}, then {@link #next} until that answers
   *     null
   */
  LaneSignals(Executor loop, Runnable turn) {
    this.loop = loop;
    this.turn = turn;
  }

  /**
   * Adds a channel that was asleep and makes the loop run. Each channel must be in the set at most
   * once, which {@link AppendLog}'s wake-up guarantees.
   *
   * @param channel the channel
   * @throws java.util.concurrent.RejectedExecutionException if the loop has stopped
   */
  void signal(C channel) {
    ready.offer(channel);
    // The element is stored before the flag is read, as begin() clears the flag before next()
    // looks.
    VarHandle.fullFence();
    if (!pending.get() && pending.compareAndSet(false, true)) {
      loop.execute(turn);
    }
  }

  /** Loop: a turn begins. What is signalled from now on causes another one. */
  void begin() {
    pending.set(false);
    VarHandle.fullFence();
  }

  /**
   * Loop: takes a channel.
   *
   * @return null when there is none
   */
  C next() {
    return ready.relaxedPoll();
  }
}

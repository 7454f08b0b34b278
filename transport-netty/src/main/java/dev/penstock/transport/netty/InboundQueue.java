package dev.penstock.transport.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;

/**
 * What waits for a gate's consumer thread: channels with something to hand out, filled by any
 * number of event loops and polled by one thread, a quantum of messages from each in turn. Event
 * loops pay for a wake-up only when the consumer is parked.
 */
final class InboundQueue extends InboundDelivery {
  private static final VarHandle PARKED;

  static {
    try {
      PARKED = MethodHandles.lookup().findVarHandle(InboundQueue.class, "parked", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int CHUNK = 64;

  /** Looks before parking: about as long as a wake-up costs the one who gives it. */
  private static final int SPINS = 50;

  private final MessagePassingQueue<InboundChannel> ready =
      new MpscUnboundedVarHandleArrayQueue<>(CHUNK);

  /** Consumer: channels whose turn comes, in order. */
  private final Deque<InboundChannel> turns = new ArrayDeque<>();

  /** Consumer: the channel whose turn it is. */
  private InboundChannel current;

  private int quantumLeft;

  /** The consumer's thread while it is, or is about to be, parked. */
  @SuppressWarnings("unused") // through PARKED
  private volatile Thread parked;

  private volatile boolean signalled;

  InboundQueue(int maxMessage, Assembler assembler) {
    super(maxMessage, assembler);
  }

  @Override
  boolean onLoop() {
    return false;
  }

  @Override
  void ready(InboundChannel channel) {
    ready.offer(channel);
  }

  /**
   * Makes the present or next {@link #await} return, for news that are not records: failure, close.
   * Any thread.
   */
  void signal() {
    signalled = true;
    wake();
  }

  @Override
  void wake() {
    // The news must be visible before the look at the consumer: it announces itself, then looks for
    // news.
    VarHandle.fullFence();
    Thread thread = (Thread) PARKED.getOpaque(this);
    if (thread != null && PARKED.compareAndSet(this, thread, null)) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Hands out what is there, without waiting. Consumer's thread.
   *
   * @param handler takes it; an exception that it throws passes through, and the record it was
   *     given counts as taken
   * @param limit most records, at least 1
   * @return how many records and pieces were handed out
   */
  int poll(RecordHandler handler, int limit) {
    int total = 0;
    while (total < limit && nextTurn()) {
      boolean stays = visit(current, Math.min(limit - total, quantumLeft), handler);
      int handedOut = cursor().handedOut();
      total += handedOut;
      quantumLeft -= handedOut;
      if (!stays) {
        current = null;
      } else if (quantumLeft <= 0 || handedOut == 0) {
        turns.addLast(current);
        current = null;
      }
      if (cursor().stop() == RecordCursor.Stop.PAUSED) {
        break;
      }
    }
    return total;
  }

  private boolean nextTurn() {
    if (current != null) {
      return true;
    }
    InboundChannel channel = ready.poll();
    while (channel != null) {
      turns.addLast(channel);
      channel = ready.poll();
    }
    current = turns.pollFirst();
    quantumLeft = QUANTUM;
    return current != null;
  }

  /**
   * Waits until there is something to poll, or {@link #signal} was called. Consumer's thread.
   *
   * @param deadline as {@link System#nanoTime}
   * @return false if the deadline passed
   * @throws InterruptedException if the thread was interrupted
   */
  boolean await(long deadline) throws InterruptedException {
    for (int i = 0; i < SPINS; i++) {
      if (hasNews()) {
        return true;
      }
      Thread.onSpinWait();
    }
    try {
      while (true) {
        PARKED.setVolatile(this, Thread.currentThread());
        VarHandle.fullFence();
        if (hasNews()) {
          return true;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        LockSupport.parkNanos(this, left);
      }
    } finally {
      PARKED.setVolatile(this, null);
    }
  }

  private boolean hasNews() {
    if (signalled) {
      signalled = false;
      return true;
    }
    return current != null || !turns.isEmpty() || !ready.isEmpty();
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import io.netty.util.concurrent.EventExecutor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;

/**
 * Hands records out on the event loop that received them, as soon as a frame is there: no queue, no
 * other thread. One for each gate and loop, for all channels of the gate whose lanes are on the
 * loop.
 */
final class LoopDelivery extends InboundDelivery implements Runnable {
  private static final VarHandle SCHEDULED;

  static {
    try {
      SCHEDULED =
          MethodHandles.lookup().findVarHandle(LoopDelivery.class, "scheduled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int CHUNK = 64;

  /** Turns before others on the loop get theirs. */
  private static final int MAX_TURNS = 16;

  private final MessagePassingQueue<InboundChannel> ready =
      new MpscUnboundedVarHandleArrayQueue<>(CHUNK);
  private final EventExecutor loop;
  private final RecordHandler handler;
  private boolean delivering;

  @SuppressWarnings("unused") // through SCHEDULED
  private volatile boolean scheduled;

  /**
   * Creates one.
   *
   * @param loop whose lanes' channels it serves
   * @param handler called on it; must not block
   * @param maxMessage longest message allowed
   * @param assembler for large messages; null to hand them out in pieces
   */
  LoopDelivery(EventExecutor loop, RecordHandler handler, int maxMessage, Assembler assembler) {
    super(maxMessage, assembler);
    this.loop = loop;
    this.handler = handler;
  }

  @Override
  boolean onLoop() {
    return true;
  }

  @Override
  void ready(InboundChannel channel) {
    ready.offer(channel);
  }

  @Override
  void wake() {
    if (!loop.inEventLoop()) {
      schedule();
    } else if (!delivering) {
      deliver();
    }
  }

  private void schedule() {
    if (SCHEDULED.compareAndSet(this, false, true)) {
      try {
        loop.execute(this);
      } catch (RejectedExecutionException e) {
        // The loop is gone, and with it every channel that this object serves.
        scheduled = false;
      }
    }
  }

  @Override
  public void run() {
    scheduled = false;
    VarHandle.fullFence();
    deliver();
  }

  private void deliver() {
    delivering = true;
    try {
      for (int turn = 0; turn < MAX_TURNS; turn++) {
        InboundChannel channel = ready.poll();
        if (channel == null) {
          return;
        }
        if (visit(channel)) {
          ready.offer(channel);
        }
      }
    } finally {
      delivering = false;
    }
    schedule();
  }

  private boolean visit(InboundChannel channel) {
    try {
      return visit(channel, QUANTUM, handler);
    } catch (RuntimeException e) {
      // The channel's failure, not the loop's.
      failed(channel, e);
      return true;
    } catch (Error e) {
      failed(channel, e);
      ready.offer(channel);
      schedule();
      throw e;
    }
  }

  private static void failed(InboundChannel channel, Throwable cause) {
    channel.fail(
        new InboundFault(
            ErrorCode.APPLICATION_ERROR, "the handler on the event loop failed: " + cause, cause));
  }
}

package dev.penstock.transport.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;

/**
 * The receiving side of a lane, as its channels see it: memory, and the way back from consumers to
 * the event loop for channels whose consumption, fault or end the lane should look at. One task at
 * most is on its way to the loop, however many channels ask.
 */
final class InboundLane {
  /** The lane's side. */
  interface Port {
    /**
     * Look at the channel's {@link InboundChannel#consumed()}, {@link InboundChannel#taken()},
     * {@link InboundChannel#fault()} and {@link InboundChannel#drained()}. On the loop.
     *
     * @param channel one that asked
     */
    void onAttention(InboundChannel channel);

    /** All that asked so far have been looked at: write what is owed. On the loop. */
    void onAttentionEnd();
  }

  private static final VarHandle SCHEDULED;

  static {
    try {
      SCHEDULED =
          MethodHandles.lookup().findVarHandle(InboundLane.class, "scheduled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int CHUNK = 64;

  private final MessagePassingQueue<InboundChannel> channels =
      new MpscUnboundedVarHandleArrayQueue<>(CHUNK);
  private final ReceiveMemory memory;
  private final Executor loop;
  private final Port port;
  private final Runnable task = this::run;
  private final PayloadCheck check = new PayloadCheck();

  /** Payload bytes of all channels so far: the lane's clock. */
  private long bytes;

  @SuppressWarnings("unused") // through SCHEDULED
  private volatile boolean scheduled;

  /**
   * Creates one.
   *
   * @param memory the transport's receive memory
   * @param loop the lane's event loop
   * @param port called on it
   */
  InboundLane(ReceiveMemory memory, Executor loop, Port port) {
    this.memory = memory;
    this.loop = loop;
    this.port = port;
  }

  ReceiveMemory memory() {
    return memory;
  }

  /** Counts payload that came. Lane's thread. */
  long count(int length) {
    bytes += length;
    return bytes;
  }

  /** For the lane's thread. */
  PayloadCheck check() {
    return check;
  }

  /** Called by a channel that is not in the queue yet. Any thread. */
  void raise(InboundChannel channel) {
    channels.offer(channel);
    if (SCHEDULED.compareAndSet(this, false, true)) {
      try {
        loop.execute(task);
      } catch (RejectedExecutionException e) {
        // The loop is gone, and the lane's channels have been told so by whoever stopped it.
        scheduled = false;
      }
    }
  }

  /**
   * Looks at all channels that asked. On the loop; also good at the end of any turn of the lane.
   */
  void run() {
    // Before the queue is read: who comes later schedules again.
    scheduled = false;
    VarHandle.fullFence();
    InboundChannel channel = channels.poll();
    if (channel == null) {
      return;
    }
    do {
      channel.attentionSeen();
      port.onAttention(channel);
      channel = channels.poll();
    } while (channel != null);
    port.onAttentionEnd();
  }
}

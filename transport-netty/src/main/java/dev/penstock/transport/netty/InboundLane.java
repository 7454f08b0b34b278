package dev.penstock.transport.netty;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The receiving side of a lane, as its channels see it: memory, and the way back from consumers to
 * the event loop for channels whose consumption, fault or end the lane should look at.
 */
final class InboundLane {
  /** The lane's side. Called on the loop. */
  interface Port {
    /**
     * Look at the channel's {@link InboundChannel#consumed()}, {@link InboundChannel#taken()},
     * {@link InboundChannel#fault()} and {@link InboundChannel#drained()}. They are levels: there
     * may be nothing new, and there may be several things at once.
     *
     * @param channel one that asked
     */
    void onAttention(InboundChannel channel);

    /** All that asked so far have been looked at: write what is owed. */
    void onAttentionEnd();
  }

  private final LaneSignals<InboundChannel> signals;
  private final ReceiveMemory memory;
  private final Port port;
  private final PayloadCheck check = new PayloadCheck();

  /** Whose consumers are to be woken when the read ends. */
  private final List<InboundDelivery> toWake = new ArrayList<>();

  private boolean reading;

  /** Payload bytes of all channels so far: the lane's clock. */
  private long bytes;

  /**
   * Creates one.
   *
   * @param memory the transport's receive memory
   * @param loop the lane's event loop
   * @param port called on it
   */
  InboundLane(ReceiveMemory memory, Executor loop, Port port) {
    this.memory = memory;
    this.port = port;
    this.signals = new LaneSignals<>(loop, this::run);
  }

  ReceiveMemory memory() {
    return memory;
  }

  /**
   * The loop begins to read: until {@link #endRead} consumers are left asleep. Waking one costs
   * more than a frame, and where cores are few it takes the loop's own. On the loop.
   */
  void beginRead() {
    reading = true;
  }

  /** Everything that came is queued: wakes the consumers. On the loop. */
  void endRead() {
    reading = false;
    for (int i = 0; i < toWake.size(); i++) {
      toWake.get(i).wake();
    }
    toWake.clear();
  }

  /** A channel's consumer has something to look at. On the loop. */
  void wake(InboundDelivery delivery) {
    if (!reading || delivery.onLoop()) {
      delivery.wake(); // a handler on the loop has the frame while it is in the cache
    } else if (toWake.isEmpty() || toWake.get(toWake.size() - 1) != delivery) {
      toWake.add(delivery); // at most once for each time that one of its channels gets ready
    }
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

  /** Called by a channel that is not in the set yet. Any thread. */
  void raise(InboundChannel channel) {
    try {
      signals.signal(channel);
    } catch (RejectedExecutionException e) {
      // The loop is gone, and the lane's channels have been told so by whoever stopped it.
    }
  }

  /**
   * Looks at all channels that asked. On the loop; also good at the end of any turn of the lane.
   */
  void run() {
    signals.begin();
    InboundChannel channel = signals.next();
    if (channel == null) {
      return;
    }
    do {
      channel.attentionSeen();
      port.onAttention(channel);
      channel = signals.next();
    } while (channel != null);
    port.onAttentionEnd();
  }
}

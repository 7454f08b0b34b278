package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportListener.Direction;
import dev.penstock.transport.TransportSnapshot.ChannelState;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.CreditShare;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.ReceiveFlow;
import dev.penstock.transport.protocol.ReceiveListener;

/**
 * An input gate's channel from one producer: the flow that receives, and the queue that the
 * consumer takes from.
 */
final class IncomingChannel implements ReceiveListener, Gates.End, CreditShare.Listener {
  /** The gate. */
  interface Owner {
    /** Where the channel's records go; on its lane's loop. */
    InboundDelivery delivery(NettyLane lane);

    /** The channel ended before it had a lane. Any thread. */
    void endedUnattached(IncomingChannel channel, Ending ending);

    /** The core is done with the channel. */
    void closed(IncomingChannel channel);
  }

  private final ChannelKey key;
  private final TransportListener listener;
  private final Owner owner;
  private final NettyMemoryBudget budget;
  private CreditShare share;

  private volatile NettyLane lane;
  private ReceiveFlow flow;
  private InboundChannel channel;

  /** The core makes a channel with it: who stops it meanwhile waits for the outcome. */
  private boolean bound;

  private ErrorCode stopCode;
  private String stopText;
  private boolean over;

  /** How it ended without a channel. */
  private Ending unattached;

  /** In its lane's list of channels to look at. */
  boolean touched;

  IncomingChannel(
      ChannelKey key, TransportListener listener, Owner owner, NettyMemoryBudget budget) {
    this.key = key;
    this.listener = listener;
    this.owner = owner;
    this.budget = budget;
  }

  /** Reserves the channel's floor; returns false if the budget has none left. */
  boolean reserve() {
    share = budget.registerCredit(this);
    return share != null;
  }

  /** The gate does not take it: nobody is told. */
  void withdraw() {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    budget.unregister(share);
  }

  ChannelKey key() {
    return key;
  }

  int producer() {
    return key.producer();
  }

  NettyLane lane() {
    return lane;
  }

  // --- Gates.End

  @Override
  public Binding bind(NettyLane to) {
    synchronized (this) {
      if (over || bound || lane != null) {
        return null;
      }
      bound = true;
    }
    channel = new InboundChannel(to.inbound(), owner.delivery(to), to.payloadCrc(), this);
    return new Binding.Receive(share, this);
  }

  @Override
  public synchronized Ending refusal() {
    return unattached != null ? unattached : Gates.OPEN_ALREADY;
  }

  @Override
  public void attached(NettyLane attached, Flow attachedFlow) {
    ErrorCode stop;
    synchronized (this) {
      bound = false;
      flow = (ReceiveFlow) attachedFlow;
      lane = attached;
      stop = stopCode;
    }
    if (stop != null) {
      attached.execute(() -> attached.core().stop(flow, stop, stopText));
    }
  }

  @Override
  public void unbound() {
    Ending stopped;
    synchronized (this) {
      bound = false;
      channel = null;
      stopped = stopCode == null ? null : new Ending(stopCode, stopText);
    }
    if (stopped != null) {
      endUnattached(stopped);
    }
  }

  @Override
  public void fence(int newerAttempt) {
    stop(ErrorCode.FENCED, Gates.fencedBy(newerAttempt, key.attempt()));
  }

  // --- Commands of the gate, any thread

  void stop(ErrorCode code, String text) {
    NettyLane current;
    synchronized (this) {
      if (over || stopCode != null) {
        return;
      }
      stopCode = code;
      stopText = text;
      current = lane;
    }
    if (current == null) {
      endUnattached(new Ending(code, text));
    } else {
      current.execute(() -> current.core().stop(flow, code, text));
    }
  }

  /** The lane that was to open the channel is over. */
  void openFailed(ErrorCode code, String text) {
    endUnattached(new Ending(code, text));
  }

  private void endUnattached(Ending ending) {
    synchronized (this) {
      if (over || bound || lane != null) {
        return; // if it was stopped, attached or unbound sees to it
      }
      over = true;
      unattached = ending;
    }
    budget.unregister(share);
    listener.onChannelClosed(
        key,
        Direction.INPUT,
        ending.code() == ErrorCode.STOPPED ? Outcome.STOPPED : Outcome.FAILED,
        ending.code());
    owner.endedUnattached(this, ending);
    owner.closed(this);
  }

  /** Whether it ended before it had a channel. */
  synchronized boolean endedUnattached() {
    return unattached != null;
  }

  /** Whether nothing of it is left, not even an end that the consumer has not been told. */
  synchronized boolean isGone() {
    return over && (channel == null || channel.drained());
  }

  // --- ReceiveListener, on the loop

  @Override
  public void onOpened(ReceiveFlow opened) {
    if (lane != null && !lane.payloadCrc()) {
      channel.payloadCrcOff();
    }
    listener.onChannelOpened(key, Direction.INPUT);
  }

  @Override
  public void onData(
      ReceiveFlow from,
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      int payloadCrc) {
    lane.touch(this);
    lane.link().deliver(channel, position, sequence, messages, flags, length, payloadCrc);
  }

  @Override
  public void onStarved(ReceiveFlow from) {
    // What the consumer was asked to tell no longer fits.
    lane.touch(this);
  }

  @Override
  public void onEnd(ReceiveFlow ended) {
    // The consumer hears of the end when the core has settled it: until then a reset may come.
    lane.touch(this);
    channel.finishAt(ended.finalPosition());
  }

  @Override
  public void onTerminated(ReceiveFlow ended, Outcome outcome, ErrorCode code, String text) {
    synchronized (this) {
      over = true;
    }
    if (outcome == Outcome.FINISHED) {
      channel.end(Ending.FINISHED, false);
    } else {
      channel.end(new Ending(code, text), true);
    }
    if (lane != null) {
      lane.touch(this); // what is thrown away is given back
    }
    listener.onChannelClosed(key, Direction.INPUT, outcome, code);
    owner.closed(this);
  }

  @Override
  public void onFloatAvailable(CreditShare waited) {
    NettyLane current = lane;
    if (current == null) {
      budget.wakeNext();
    } else {
      current.execute(
          () -> {
            current.core().floatAvailable(flow);
            budget.wakeNext();
          });
    }
  }

  // --- For the lane's turns

  /** Tells the core what the consumer has done. */
  void apply(Lane core) {
    if (flow == null) {
      return;
    }
    if (channel.drained()) {
      // Also what was thrown away: a channel that is over stays charged for what it holds.
      core.consumed(flow, flow.received());
      return;
    }
    InboundFault fault = channel.fault();
    if (fault != null) {
      core.stop(flow, fault.code(), fault.text());
      return;
    }
    core.consumed(flow, channel.consumed());
    if (flow.finalPosition() >= 0) {
      core.taken(flow, channel.taken());
    }
  }

  /**
   * Asks the consumer to tell when it matters; returns true if it mattered already and the core has
   * been told.
   */
  boolean settle(Lane core) {
    boolean told = false;
    while (flow != null) {
      long at = flow.notifyAt();
      if (!channel.notifyAt(at)) {
        return told;
      }
      long before = flow.consumed();
      apply(core);
      told = true;
      if (flow.consumed() == before) {
        return told;
      }
    }
    return told;
  }

  /** On the loop, or any thread while there is no lane. */
  ChannelState snapshot() {
    ReceiveFlow current = flow;
    if (current == null) {
      return new ChannelState(
          key,
          Direction.INPUT,
          "REGISTERED",
          WaitsFor.PEER_GATE,
          "the producer has not come",
          0,
          0,
          0,
          0);
    }
    long queued = current.received() - current.consumed();
    WaitsFor waits;
    String reason;
    if (over) {
      waits = WaitsFor.LOCAL_CONSUMER;
      reason = "its end waits to be polled";
    } else if (current.state() == ReceiveFlow.State.OPENING) {
      waits = WaitsFor.PEER_GATE;
      reason = "the producer has not answered";
    } else if (queued > 0) {
      waits = WaitsFor.LOCAL_CONSUMER;
      reason = queued + " bytes wait to be polled";
    } else if (lane.core().state() != Lane.State.UP) {
      waits = WaitsFor.CONNECTION;
      reason = "the connection is down and resumes";
    } else {
      waits = WaitsFor.PRODUCER;
      reason = "everything received has been taken";
    }
    return new ChannelState(
        key,
        Direction.INPUT,
        current.state().name(),
        waits,
        reason,
        current.received(),
        current.consumed(),
        current.limit(),
        queued);
  }
}

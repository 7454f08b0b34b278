package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportListener.Direction;
import dev.penstock.transport.TransportSnapshot.ChannelState;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.SendFlow;
import dev.penstock.transport.protocol.SendListener;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * An output gate's channel to one consumer: the log that the application writes to, and the flow
 * that sends from it once the channel has a lane.
 *
 * <p>The log's writer is the application's thread, its reader the lane's loop. What commands need
 * is guarded by this object's lock; nothing is called under it but the log's release when there is
 * no lane.
 */
final class OutgoingChannel implements SendListener, Gates.End {
  /** Told once how the channel ended. */
  interface Owner {
    void ended(OutgoingChannel channel);
  }

  private static final long ABORT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final ChannelKey key;
  private final AppendLog log;
  private final TransportListener listener;
  private final Owner owner;
  private final long lingerNanos;

  private volatile NettyLane lane;
  private SendFlow flow;

  /** The core makes a channel with it: what it is told meanwhile waits for the outcome. */
  private boolean bound;

  private Ending openFailure;
  private boolean finishWanted;
  private long finishDeadline = Lane.NEVER;
  private volatile ErrorCode abortCode;
  private String abortText;
  private boolean stalled;
  private long sentAtLastLook = -1;

  /** Set before the log is closed, so that its writer learns why. */
  private volatile Outcome expected;

  private volatile Outcome outcome;
  private volatile TransportException failure;

  OutgoingChannel(
      ChannelKey key, LogFactory logs, TransportListener listener, Owner owner, long lingerNanos) {
    this.key = key;
    this.listener = listener;
    this.owner = owner;
    this.lingerNanos = lingerNanos;
    this.log = logs.create(this::signalLane);
  }

  /** Makes the channel's log. */
  interface LogFactory {
    AppendLog create(Runnable attention);
  }

  ChannelKey key() {
    return key;
  }

  AppendLog log() {
    return log;
  }

  Outcome outcome() {
    return outcome;
  }

  TransportException failure() {
    return failure;
  }

  NettyLane lane() {
    return lane;
  }

  /** What a refusing log means for who writes. */
  OfferResult closedResult() {
    Outcome ended = outcome != null ? outcome : expected;
    if (ended == Outcome.STOPPED) {
      return OfferResult.STOPPED;
    }
    return ended == Outcome.FAILED || ended == Outcome.UNKNOWN || abortCode == ErrorCode.FENCED
        ? OfferResult.FAILED
        : OfferResult.CLOSED;
  }

  /** The log wants its lane's attention; on the writer's thread. */
  private void signalLane() {
    NettyLane current = lane;
    if (current == null) {
      return; // whoever attaches a lane looks at the level
    }
    try {
      if (lingerNanos == 0) {
        current.signals().signal(this);
      } else {
        var unused =
            current
                .loop()
                .schedule(() -> current.signals().signal(this), lingerNanos, TimeUnit.NANOSECONDS);
      }
    } catch (RejectedExecutionException e) {
      Log.LOG.debug("the transport is closed: channel {} sends nothing more", key);
    }
  }

  /** Sends what linger holds back. */
  void flush() {
    NettyLane current = lane;
    if (current != null && lingerNanos > 0 && outcome == null) {
      current.execute(() -> onCommitted(current.core()));
    }
  }

  /** On the loop: the log has more. */
  void onCommitted(Lane core) {
    if (flow != null) {
      core.committed(flow);
    }
  }

  // --- Gates.End

  @Override
  public Binding bind(NettyLane to) {
    synchronized (this) {
      if (abortCode != null || bound || lane != null) {
        return null;
      }
      bound = true;
    }
    return new Binding.Send(log, this);
  }

  @Override
  public synchronized Ending refusal() {
    return abortCode != null && lane == null && !bound
        ? new Ending(abortCode, abortText)
        : Gates.OPEN_ALREADY;
  }

  @Override
  public void attached(NettyLane attached, Flow attachedFlow) {
    boolean finish;
    ErrorCode abort;
    synchronized (this) {
      bound = false;
      flow = (SendFlow) attachedFlow;
      lane = attached;
      finish = finishWanted;
      abort = abortCode;
    }
    attached.sending().add(this);
    if (!attached.payloadCrc()) {
      log.payloadCrcOff();
    }
    // What was committed before the lane was known has told nobody.
    attached.execute(() -> onCommitted(attached.core()));
    if (abort != null) {
      attached.execute(() -> abortNow(attached, abort, abortText));
    } else if (finish) {
      attached.execute(() -> attached.core().finish(flow, finishDeadline));
    }
  }

  @Override
  public void unbound() {
    ErrorCode abort;
    Ending failed;
    synchronized (this) {
      bound = false;
      abort = abortCode;
      failed = openFailure;
      openFailure = null;
      if (abort != null) {
        log.release();
      }
    }
    if (abort != null) {
      end(Outcome.ABORTED, abort, abortText);
    } else if (failed != null) {
      openFailed(failed.code(), failed.text());
    }
  }

  private void abortNow(NettyLane on, ErrorCode code, String text) {
    on.core().abort(flow, code, text, System.nanoTime() + ABORT_NANOS);
  }

  @Override
  public void fence(int newerAttempt) {
    abort(ErrorCode.FENCED, Gates.fencedBy(newerAttempt, key.attempt()));
  }

  // --- Commands of the gate, any thread

  void finish(long deadline) {
    NettyLane current;
    synchronized (this) {
      boolean sooner =
          deadline != Lane.NEVER && (finishDeadline == Lane.NEVER || deadline - finishDeadline < 0);
      if (outcome != null || (finishWanted && !sooner)) {
        return;
      }
      finishWanted = true;
      finishDeadline = deadline;
      current = lane;
    }
    if (current != null) {
      current.execute(() -> current.core().finish(flow, deadline));
    }
  }

  void abort(ErrorCode code, String text) {
    NettyLane current;
    synchronized (this) {
      if (outcome != null || abortCode != null) {
        return;
      }
      abortCode = code;
      abortText = text;
      if (bound) {
        return;
      }
      current = lane;
      if (current == null) {
        log.release();
      }
    }
    if (current == null) {
      end(Outcome.ABORTED, code, text);
    } else {
      current.execute(() -> abortNow(current, code, text));
    }
  }

  /** No channel came: the lane that was to open it is over, or the consumer is late. */
  void openFailed(ErrorCode code, String text) {
    synchronized (this) {
      if (outcome != null || abortCode != null || lane != null) {
        return;
      }
      if (bound) {
        openFailure = new Ending(code, text);
        return;
      }
      // A consumer may come at this moment: it must be told.
      abortCode = code;
      abortText = text;
      log.release();
    }
    end(Outcome.FAILED, code, text);
  }

  /** Whether no consumer has come yet. */
  boolean isWaiting() {
    return lane == null && outcome == null;
  }

  // --- SendListener, on the loop

  @Override
  public void onOpened(SendFlow opened) {
    listener.onChannelOpened(key, Direction.OUTPUT);
  }

  @Override
  public void onReleasing(SendFlow ending, Outcome how) {
    expected = how;
  }

  @Override
  public void onTerminated(SendFlow ended, Outcome how, ErrorCode code, String text) {
    NettyLane current = lane;
    if (current != null) {
      current.sending().remove(this);
    }
    end(how, code, text);
  }

  private void end(Outcome how, ErrorCode code, String text) {
    synchronized (this) {
      if (outcome != null) {
        return;
      }
      if (how != Outcome.FINISHED && how != Outcome.STOPPED) {
        failure = new TransportException(code, key, text, null);
      }
      outcome = how;
    }
    listener.onChannelClosed(key, Direction.OUTPUT, how, code);
    owner.ended(this);
  }

  /**
   * On the loop, about once a second: tells the listener when the channel stalls and when it moves
   * again.
   */
  void watchStall() {
    boolean stuck = flow.starved() && flow.sent() == sentAtLastLook;
    sentAtLastLook = flow.sent();
    if (stuck && !stalled) {
      listener.onChannelStalled(key, log.committedPosition() - flow.sent());
    } else if (stalled && !stuck) {
      listener.onChannelResumed(key);
    }
    stalled = stuck;
  }

  /** On the loop, or any thread while there is no lane. */
  ChannelState snapshot() {
    SendFlow current = flow;
    long appended = log.committedPosition();
    if (current == null) {
      return new ChannelState(
          key,
          Direction.OUTPUT,
          outcome == null ? "REGISTERED" : outcome.name(),
          WaitsFor.PEER_GATE,
          "the consumer has not opened the channel",
          0,
          0,
          0,
          appended);
    }
    long queued = appended - current.sent();
    WaitsFor waits;
    String reason;
    if (current.state() == SendFlow.State.OPENING) {
      waits = WaitsFor.PEER_GATE;
      reason = "the consumer has not answered";
    } else if (lane.core().state() != Lane.State.UP) {
      waits = WaitsFor.CONNECTION;
      reason = "the connection is down and resumes";
    } else if (current.starved()) {
      waits = WaitsFor.CONSUMER;
      reason =
          "the consumer has taken up to "
              + current.acknowledged()
              + " and grants credit up to "
              + current.limit()
              + "; "
              + queued
              + " bytes wait";
    } else if (current.state() == SendFlow.State.FINISHING) {
      waits = WaitsFor.CONFIRMATION;
      reason = "all is sent; the consumer has not confirmed the end";
    } else if (queued == 0) {
      waits = WaitsFor.PRODUCER;
      reason = "nothing to send";
    } else {
      waits = WaitsFor.NOTHING;
      reason = queued + " bytes on their way";
    }
    return new ChannelState(
        key,
        Direction.OUTPUT,
        current.state().name(),
        waits,
        reason,
        current.sent(),
        current.acknowledged(),
        current.limit(),
        queued);
  }
}

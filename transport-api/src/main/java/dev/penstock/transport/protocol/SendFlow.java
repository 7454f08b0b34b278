package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;

/**
 * The sending end of a channel: what may be sent, what was sent, what the receiver has, and how it
 * ends. Credit and acknowledgement are positions, so there is no table of frames in flight, and
 * frames may be cut anew after a resume.
 *
 * <p>Confined to the lane's thread.
 */
public final class SendFlow extends Flow {
  /** Where a sending channel stands. */
  public enum State {
    /** OPEN is sent or to be sent, OPENED has not come. */
    OPENING,
    /** Records flow. */
    OPEN,
    /** The application wants to finish: the rest, then FINISH, then FINISH_ACK. */
    FINISHING,
    /** RESET is sent or to be sent and not confirmed. */
    ABORTING,
    /** Over, and forgotten once nothing is due. */
    DONE
  }

  private final RecordSource source;
  private final SendListener listener;

  private State state;
  private boolean reported;
  private boolean released;

  private final SendProgress progress = new SendProgress();

  /** The limit at which the next record did not fit; -1 when none. */
  private long stalledAt = -1;

  private long demandedAt = -1;
  private boolean finishWanted;
  private long finishDeadline = Lane.NEVER;

  /** Whether FINISH was written on the present connection. */
  private boolean finishSent;

  /** What FINISH said; -1 before it was ever written. */
  private long finalPosition = -1;

  private long finalSequence = -1;
  private boolean openSent;
  private boolean laneUp;

  /** What the lane had acknowledged when this channel last moved: orders channels by time. */
  private long movedAt;

  /** For the lane's scheduler. */
  boolean ready;

  SendFlow nextReady;
  long deficit;

  SendFlow(LaneCore lane, int number, ChannelKey key, boolean opener, Binding.Send binding) {
    super(lane, number, key, opener);
    this.source = binding.source();
    this.listener = binding.listener();
    this.state = opener ? State.OPENING : State.OPEN;
  }

  @Override
  Role role() {
    return Role.SENDER;
  }

  @Override
  boolean terminal() {
    return state == State.ABORTING || state == State.DONE;
  }

  @Override
  boolean expectsRestating() {
    return state == State.OPEN || state == State.FINISHING;
  }

  // --- Commands of the gate

  /** Nothing will be committed any more: see {@link Lane#finish}. */
  void finish(long deadlineNanos) {
    if (state == State.ABORTING || state == State.DONE) {
      return;
    }
    finishWanted = true;
    finishDeadline = deadlineNanos;
    if (state == State.OPEN) {
      state = State.FINISHING;
      lane.deadline(this, deadlineNanos);
    } else if (deadline == Lane.NEVER
        || (deadlineNanos != Lane.NEVER && deadlineNanos - deadline < 0)) {
      lane.deadline(this, deadlineNanos);
    }
    lane.ready(this);
  }

  /** Gives the channel up: see {@link Lane#abort}. */
  void abort(ErrorCode code, String text, long deadlineNanos) {
    if (state == State.ABORTING || state == State.DONE) {
      return;
    }
    if (!openSent && opener) {
      end(Outcome.ABORTED, code, text);
    } else {
      toAborting(Outcome.ABORTED, code, text, deadlineNanos);
    }
  }

  private void toAborting(Outcome outcome, ErrorCode code, String text, long deadlineNanos) {
    state = State.ABORTING;
    resetCode = code;
    resetText = text;
    due &= ~(DUE_OPEN | DUE_DEMAND | DUE_FINISH);
    notLive();
    release(outcome);
    lane.deadline(this, deadlineNanos);
    owe(DUE_TERMINAL);
  }

  // --- Frames from the receiver

  @Override
  void onPeerState(
      long received,
      long receivedSequence,
      long backlog,
      long consumed,
      long newLimit,
      int newFloor) {
    if (terminal()) {
      return;
    }
    if (!progress.isPossible(received, receivedSequence, consumed, newLimit, newFloor)) {
      fail(
          ErrorCode.SEQUENCE_GAP,
          "receiver stands at " + received + " with limit " + newLimit + "; " + progress);
      return;
    }
    lane.stats().resumedBytes += progress.restart(received, receivedSequence, newLimit, newFloor);
    stalledAt = -1;
    demandedAt = -1;
    finishSent = false;
    acknowledge(received);
    if (state == State.OPENING) {
      state = finishWanted ? State.FINISHING : State.OPEN;
      lane.deadline(this, finishDeadline);
    }
    listener.onOpened(this);
    lane.ready(this);
  }

  /** CREDIT came. */
  void onCredit(long received, long consumed, long newLimit) {
    if (terminal()) {
      return;
    }
    if (state == State.OPENING || !progress.isPossible(received, consumed, newLimit)) {
      lane.violate(
          ErrorCode.PROTOCOL_VIOLATION,
          "CREDIT on channel "
              + key
              + " with received "
              + received
              + ", consumed "
              + consumed
              + ", limit "
              + newLimit
              + "; "
              + progress);
      return;
    }
    acknowledge(received);
    if (newLimit > progress.limit) {
      progress.limit = newLimit;
      stalledAt = -1;
      lane.ready(this);
    }
  }

  /** FINISH_ACK came. */
  void onFinishAck(long position, long sequence) {
    owe(DUE_CLOSED);
    if (finalPosition < 0 || position != finalPosition || sequence != finalSequence) {
      if (state != State.ABORTING) {
        lane.violate(
            ErrorCode.PROTOCOL_VIOLATION,
            "FINISH_ACK on channel "
                + key
                + " at "
                + position
                + " ("
                + sequence
                + " messages), FINISH was at "
                + finalPosition
                + " ("
                + finalSequence
                + " messages; -1: not sent)");
      }
      return;
    }
    end(Outcome.FINISHED, null, "");
  }

  @Override
  void onReset(ErrorCode code, String text) {
    // Owed before the lane looks whether it has drained.
    owe(DUE_CLOSED);
    if (state != State.ABORTING) {
      end(code == ErrorCode.STOPPED ? Outcome.STOPPED : Outcome.FAILED, code, text);
    }
  }

  @Override
  void onClosed() {
    if (state == State.ABORTING) {
      end(Outcome.ABORTED, resetCode, resetText);
    }
  }

  // --- Time and the lane's life

  @Override
  void onDeadline() {
    switch (state) {
      case OPENING -> {
        String text = "the consumer did not come before the deadline (option openTimeout)";
        if (!openSent && opener) {
          end(Outcome.FAILED, ErrorCode.DEADLINE_EXCEEDED, text + lane.unconnected());
        } else {
          fail(ErrorCode.DEADLINE_EXCEEDED, text);
        }
      }
      case FINISHING -> {
        String text = "the consumer did not take everything before the deadline of finish()";
        toAborting(Outcome.UNKNOWN, ErrorCode.DEADLINE_EXCEEDED, text, Lane.NEVER);
        report(Outcome.UNKNOWN, ErrorCode.DEADLINE_EXCEEDED, text);
      }
      case ABORTING -> {
        report(Outcome.UNKNOWN, resetCode, resetText);
        lane.deadline(this, Lane.NEVER);
      }
      default -> lane.deadline(this, Lane.NEVER);
    }
  }

  @Override
  void onForgotten() {
    end(
        finalPosition >= 0 ? Outcome.UNKNOWN : Outcome.FAILED,
        ErrorCode.SESSION_LOST,
        "the consumer no longer knows the channel");
  }

  @Override
  void onLaneDead(ErrorCode code, String text) {
    Outcome outcome;
    if (finalPosition >= 0) {
      outcome = Outcome.UNKNOWN;
    } else {
      outcome = state == State.ABORTING ? Outcome.ABORTED : Outcome.FAILED;
    }
    end(outcome, state == State.ABORTING ? resetCode : code, text);
  }

  @Override
  void onLaneUp() {
    laneUp = true;
    lane.ready(this);
  }

  /**
   * When the receiver last got something: a turn whose bytes were lost with their connection was
   * none.
   */
  long movedAt() {
    return movedAt;
  }

  /** The connection is gone: hold until the receiver restates. */
  void onLaneBroken() {
    laneUp = false;
  }

  private void fail(ErrorCode code, String text) {
    toAborting(Outcome.FAILED, code, text, Lane.NEVER);
    report(Outcome.FAILED, code, text);
  }

  private void end(Outcome outcome, ErrorCode code, String text) {
    state = State.DONE;
    due &= DUE_CLOSED;
    lane.deadline(this, Lane.NEVER);
    notLive();
    // Who is told finds the log released.
    release(outcome);
    report(outcome, code, text);
    lane.done(this);
  }

  private void report(Outcome outcome, ErrorCode code, String text) {
    if (!reported) {
      reported = true;
      listener.onTerminated(this, outcome, code, text);
    }
  }

  private void acknowledge(long received) {
    if (received > progress.acknowledged) {
      lane.progress();
      lane.stats().acknowledgedBytes += received - progress.acknowledged;
      progress.acknowledged = received;
      movedAt = lane.stats().acknowledgedBytes;
      source.acknowledged(received);
    }
  }

  private void release(Outcome outcome) {
    if (!released) {
      released = true;
      listener.onReleasing(this, outcome);
      source.release();
    }
  }

  // --- Output

  /**
   * Whether a turn of the scheduler may get a frame, or has a FINISH or DEMAND to find out about.
   */
  boolean sendable() {
    if (!laneUp || (state != State.OPEN && state != State.FINISHING)) {
      return false;
    }
    if (source.committedPosition() > progress.sent) {
      return stalledAt != progress.limit;
    }
    return finishWanted && !finishSent && (due & DUE_FINISH) == 0;
  }

  /** Whether the receiver does not have everything that was committed. */
  boolean hasUnacknowledged() {
    return !terminal() && source.committedPosition() > progress.acknowledged;
  }

  /**
   * Nothing was sendable: sees to it that the next commit is noticed. One that came since then, or
   * comes during this call, may have told nobody: it counts.
   *
   * @return whether there is something to send after all
   */
  boolean settle() {
    if (!laneUp || (state != State.OPEN && state != State.FINISHING)) {
      return false;
    }
    return (source.committedPosition() != progress.sent || !source.tryIdle()) && sendable();
  }

  /**
   * Sends one frame if credit allows, else says so.
   *
   * @return payload bytes sent, 0 when nothing more can be sent now
   */
  int sendFrame(FrameSink out, FrameCut cut, int maxPayload) {
    if (!sendable()) {
      return 0;
    }
    long committed = source.committedPosition();
    long sent = progress.sent;
    if (committed == sent) {
      if (finishWanted && !finishSent && state == State.FINISHING) {
        owe(DUE_FINISH);
      }
      return 0;
    }
    int available = (int) Math.min(progress.limit - sent, maxPayload);
    int pieceLength = Math.min(progress.floor, maxPayload);
    if (available <= 0 || !source.cut(sent, available, pieceLength, cut)) {
      stalledAt = progress.limit;
      if (demandedAt != progress.limit) {
        owe(DUE_DEMAND);
      }
      return 0;
    }
    // The cut may hold more than had been committed at the look above.
    long backlog = Math.max(0, committed - sent - cut.length);
    out.frames()
        .data(
            number,
            sent,
            progress.sentSequence,
            cut.messages,
            cut.flags,
            cut.length,
            backlog,
            cut.length,
            cut.crc);
    out.payload(source, sent, cut.length);
    progress.sent(cut.length, cut.messages, lane.stats());
    return cut.length;
  }

  @Override
  void writeOpen(Frames out) {
    openSent = true;
    long backlog = source.committedPosition() - progress.sent;
    writeState(out, progress.sent, progress.sentSequence, backlog, 0, 0, 0);
  }

  @Override
  void writeDue(Frames out) {
    int bits = due;
    due = 0;
    if ((bits & DUE_DEMAND) != 0 && demandedAt != progress.limit && stalledAt == progress.limit) {
      demandedAt = progress.limit;
      out.demand(number, progress.sent, source.committedPosition() - progress.sent);
      lane.stats().demandsSent++;
    }
    if ((bits & DUE_FINISH) != 0 && !finishSent) {
      finishSent = true;
      finalPosition = progress.sent;
      finalSequence = progress.sentSequence;
      out.finish(number, finalPosition, finalSequence);
    }
    if ((bits & DUE_TERMINAL) != 0) {
      writeReset(out);
    }
    if ((bits & DUE_CLOSED) != 0) {
      out.closed(number);
    }
  }

  // --- Queries

  /**
   * Where the channel stands.
   *
   * @return the state
   */
  public State state() {
    return state;
  }

  /**
   * Bytes sent.
   *
   * @return position behind the last byte sent on the present connection
   */
  public long sent() {
    return progress.sent;
  }

  /**
   * Bytes the receiver has.
   *
   * @return position, never lowered
   */
  public long acknowledged() {
    return progress.acknowledged;
  }

  /**
   * Position up to which the receiver lets this side send.
   *
   * @return position, never lowered
   */
  public long limit() {
    return progress.limit;
  }

  /**
   * Whether there is data that the receiver's credit does not cover.
   *
   * @return true if the channel waits for its consumer
   */
  public boolean starved() {
    return (state == State.OPEN || state == State.FINISHING) && stalledAt == progress.limit;
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;

/**
 * The receiving end of a channel: takes DATA exactly at its cursor, acknowledges receipt, grants
 * credit by {@link CreditWindow}, and confirms the end when the application has taken the last
 * record.
 *
 * <p>Confined to the lane's thread.
 */
public final class ReceiveFlow extends Flow {
  /** Where a receiving channel stands. */
  public enum State {
    /** OPEN is sent or to be sent, OPENED has not come. */
    OPENING,
    /** Records flow. */
    OPEN,
    /** FINISH_ACK is sent or to be sent and not confirmed. */
    FINISHED,
    /** RESET is sent or to be sent and not confirmed. */
    RESETTING,
    /** Over. */
    DONE
  }

  private final ReceiveListener listener;
  private final CreditWindow window;

  private State state;
  private boolean reported;
  private boolean openSent;

  private long received;
  private long receivedSequence;
  private long taken;
  private long finalPosition = -1;
  private boolean pieceOpen;

  ReceiveFlow(LaneCore lane, int number, ChannelKey key, boolean opener, Binding.Receive binding) {
    super(lane, number, key, opener);
    this.listener = binding.listener();
    this.window = new CreditWindow(binding.credit());
    this.state = opener ? State.OPENING : State.OPEN;
  }

  @Override
  Role role() {
    return Role.RECEIVER;
  }

  @Override
  boolean terminal() {
    return state == State.FINISHED || state == State.RESETTING || state == State.DONE;
  }

  @Override
  boolean expectsRestating() {
    return state == State.OPEN;
  }

  // --- What the application did

  /** Memory was given back up to a position: see {@link Lane#consumed}. */
  void consumed(long position) {
    if (position > received) {
      throw new IllegalArgumentException(
          "consumed " + position + " of " + received + " received bytes");
    }
    if (position > window.consumed()) {
      window.consumed(position);
      announceIfWorthIt();
    }
  }

  /** Nothing is queued any more: see {@link Lane#caughtUp}. */
  void caughtUp(long position) {
    consumed(position);
    if (state == State.OPEN && window.unannounced()) {
      owe(DUE_CREDIT);
    }
  }

  private void announceIfWorthIt() {
    if (state == State.OPEN && window.shouldAnnounce(received)) {
      owe(DUE_CREDIT);
    }
  }

  /** The application has taken the records before a position: see {@link Lane#taken}. */
  void taken(long position) {
    taken = Math.max(taken, position);
    confirmEnd();
  }

  /** Gives the channel up: see {@link Lane#stop}. */
  void reset(ErrorCode code, String text) {
    if (terminal()) {
      return;
    }
    Outcome outcome = code == ErrorCode.STOPPED ? Outcome.STOPPED : Outcome.ABORTED;
    if (!openSent && opener) {
      end(outcome, code, text);
    } else {
      toResetting(outcome, code, text);
    }
  }

  /** Float that the channel waited for may be there: see {@link Lane#floatAvailable}. */
  void floatAvailable() {
    if (state == State.OPEN) {
      window.raise();
      announceIfWorthIt();
    }
  }

  private void confirmEnd() {
    if (state == State.OPEN && finalPosition >= 0 && taken >= finalPosition) {
      state = State.FINISHED;
      due &= ~DUE_CREDIT;
      lane.deadline(this, Lane.NEVER);
      notLive();
      window.close(received);
      report(Outcome.FINISHED, null, "");
      owe(DUE_TERMINAL);
    }
  }

  private void toResetting(Outcome outcome, ErrorCode code, String text) {
    state = State.RESETTING;
    resetCode = code;
    resetText = text;
    due &= ~(DUE_OPEN | DUE_CREDIT);
    lane.deadline(this, Lane.NEVER);
    notLive();
    window.close(received);
    report(outcome, code, text);
    owe(DUE_TERMINAL);
  }

  private void fail(ErrorCode code, String text) {
    toResetting(Outcome.FAILED, code, text);
  }

  // --- Frames from the sender

  @Override
  void onPeerState(
      long sentPosition, long sequence, long backlog, long consumed, long limit, int floor) {
    if (terminal()) {
      return;
    }
    if (sentPosition < received || backlog < 0) {
      fail(
          ErrorCode.SEQUENCE_GAP,
          "sender says it sent " + sentPosition + " bytes, " + received + " were received");
      return;
    }
    if (state == State.OPENING) {
      state = State.OPEN;
      lane.deadline(this, Lane.NEVER);
    }
    window.announced(sentPosition + backlog);
    window.raise();
    announceIfWorthIt();
    listener.onOpened(this);
  }

  /** DATA came. */
  void onData(
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      long backlog,
      int payloadLength,
      int crc) {
    if (terminal()) {
      lane.stats().framesDropped++;
      return;
    }
    ErrorCode error =
        checkData(position, sequence, messages, flags, length, backlog, payloadLength);
    if (error != null) {
      refuse(
          error,
          "DATA on channel "
              + key
              + " at "
              + position
              + " (message "
              + sequence
              + "), "
              + length
              + " bytes in "
              + payloadLength
              + ", "
              + messages
              + " messages, flags "
              + flags
              + "; receiver stands at "
              + received
              + " (message "
              + receivedSequence
              + "), limit "
              + window.announcedLimit());
      return;
    }
    received += length;
    receivedSequence += messages;
    pieceOpen = (flags & (Frames.PIECE | Frames.LAST_PIECE)) == Frames.PIECE;
    lane.progress();
    lane.stats().dataFramesReceived++;
    lane.stats().payloadBytesReceived += payloadLength;
    window.announced(received + backlog);
    window.raise();
    owe(DUE_CREDIT);
    listener.onData(this, position, sequence, messages, flags, length, crc);
  }

  /** Nonsense ends the session; a position or a limit that does not fit fails the channel. */
  private void refuse(ErrorCode error, String text) {
    if (error == ErrorCode.PROTOCOL_VIOLATION) {
      lane.violate(error, text);
    } else {
      fail(error, text);
    }
  }

  private ErrorCode checkData(
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      long backlog,
      int payloadLength) {
    if (state != State.OPEN || position != received || sequence != receivedSequence) {
      return ErrorCode.SEQUENCE_GAP;
    }
    if (length <= 0) {
      return ErrorCode.PROTOCOL_VIOLATION;
    }
    if (position + length > window.announcedLimit()) {
      return ErrorCode.CREDIT_EXCEEDED;
    }
    boolean piece = (flags & Frames.PIECE) != 0;
    boolean last = (flags & Frames.LAST_PIECE) != 0;
    boolean counts =
        piece
            ? messages == (last ? 1 : 0)
            : !last && !pieceOpen && messages > 0 && messages <= length;
    boolean plain = (flags & Frames.COMPRESSED) == 0 && payloadLength == length && backlog >= 0;
    return counts && plain && finalPosition < 0 ? null : ErrorCode.PROTOCOL_VIOLATION;
  }

  /** DEMAND came. */
  void onDemand(long position, long backlog) {
    if (terminal()) {
      return;
    }
    if (position != received || backlog < 0) {
      fail(ErrorCode.SEQUENCE_GAP, "DEMAND at " + position + ", receiver stands at " + received);
      return;
    }
    window.announced(position + backlog);
    window.demanded();
    window.raise();
    announceIfWorthIt();
    listener.onStarved(this);
  }

  /** FINISH came. */
  void onFinish(long position, long sequence) {
    if (terminal()) {
      return;
    }
    if (state != State.OPEN || position != received || sequence != receivedSequence || pieceOpen) {
      fail(
          ErrorCode.SEQUENCE_GAP,
          "FINISH at "
              + position
              + " ("
              + sequence
              + " messages), receiver stands at "
              + received
              + " ("
              + receivedSequence
              + " messages)");
      return;
    }
    boolean first = finalPosition < 0;
    finalPosition = position;
    if (first) {
      listener.onEnd(this);
    }
    confirmEnd();
  }

  @Override
  void onReset(ErrorCode code, String text) {
    // Owed before the lane looks whether it has drained.
    owe(DUE_CLOSED);
    if (!terminal()) {
      end(Outcome.ABORTED, code, text);
    }
  }

  @Override
  void onClosed() {
    if (state == State.FINISHED || state == State.RESETTING) {
      end(Outcome.FINISHED, null, "");
    }
  }

  // --- Time and the lane's life

  @Override
  void onDeadline() {
    String text = "the producer did not come before the deadline (option openTimeout)";
    if (state == State.OPENING && !openSent) {
      end(Outcome.FAILED, ErrorCode.DEADLINE_EXCEEDED, text + lane.unconnected());
    } else if (state == State.OPENING) {
      fail(ErrorCode.DEADLINE_EXCEEDED, text);
    }
  }

  @Override
  void onForgotten() {
    end(Outcome.FAILED, ErrorCode.SESSION_LOST, "the producer no longer knows the channel");
  }

  @Override
  void onLaneDead(ErrorCode code, String text) {
    end(Outcome.FAILED, code, text);
  }

  @Override
  void onLaneUp() {
    announceIfWorthIt();
  }

  private void end(Outcome outcome, ErrorCode code, String text) {
    state = State.DONE;
    due &= DUE_CLOSED;
    lane.deadline(this, Lane.NEVER);
    notLive();
    window.close(received);
    report(outcome, code, text);
    lane.done(this);
  }

  private void report(Outcome outcome, ErrorCode code, String text) {
    if (!reported) {
      reported = true;
      listener.onTerminated(this, outcome, code, text);
    }
  }

  // --- Output

  @Override
  void writeOpen(Frames out) {
    openSent = true;
    due &= ~DUE_CREDIT;
    window.announce();
    writeState(
        out, received, receivedSequence, 0, window.consumed(), window.limit(), window.floor());
  }

  @Override
  void writeDue(Frames out) {
    int bits = due;
    due = 0;
    if ((bits & DUE_CREDIT) != 0 && state == State.OPEN) {
      window.announce();
      out.credit(number, received, window.consumed(), window.limit());
      lane.stats().creditsSent++;
    }
    if ((bits & DUE_TERMINAL) != 0) {
      if (state == State.FINISHED) {
        out.finishAck(number, received, receivedSequence);
      } else {
        writeReset(out);
      }
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
   * Bytes received in order.
   *
   * @return position
   */
  public long received() {
    return received;
  }

  /**
   * Bytes that the application gave back.
   *
   * @return position
   */
  public long consumed() {
    return window.consumed();
  }

  /**
   * Position up to which the sender may send.
   *
   * @return position
   */
  public long limit() {
    return window.limit();
  }

  /**
   * The part of {@link #limit()} that the sender has been told, on whatever connection.
   *
   * @return position
   */
  public long announcedLimit() {
    return window.announcedLimit();
  }

  /**
   * Bytes of float that back the window beyond its floor.
   *
   * @return bytes
   */
  public long floated() {
    return window.floated();
  }

  /**
   * The end of the channel.
   *
   * @return position behind the last record, -1 while unknown
   */
  public long finalPosition() {
    return finalPosition;
  }

  /**
   * When to call {@link Lane#consumed}: the shell asks after each turn in which something changed.
   *
   * @return the consumed position that matters, {@link Lane#NEVER} if none does now
   */
  public long notifyAt() {
    return state == State.OPEN ? window.notifyAt(received) : Lane.NEVER;
  }

  /**
   * Whether the sender has more than it may send: consumption is then to be reported at once.
   *
   * @return true if the sender waits for this side
   */
  public boolean senderStarved() {
    return state == State.OPEN && window.senderStarved();
  }
}

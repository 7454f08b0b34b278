package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import java.util.function.Consumer;

/**
 * One of a session's connections, over all the TCP connections that it lives through: its channels,
 * what they say to each other, who may send next, when a silent peer is given up, and how both
 * sides agree again after a break.
 *
 * <p>Four kinds of methods: events in ({@link #connected}, {@link #inbound}, {@link #timeout} …),
 * commands of gates ({@link #openSend}, {@link #finish} …), queries, and output ({@link #write},
 * {@link #deadline()}). The handshake comes before, see the handshake machines.
 *
 * <p>Confined to one thread at a time. Time is {@code System.nanoTime()} or whatever clock the
 * caller keeps, passed in.
 */
public final class Lane {
  /** No deadline. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Where a lane stands. */
  public enum State {
    /** No connection, or none that is trusted yet. */
    BROKEN,
    /** Trusted; both sides say what they know of their channels. */
    RESTATING,
    /** Records flow. */
    UP,
    /** Over. */
    DEAD
  }

  private final LaneCore core;
  private final LaneInbound inbound;

  /**
   * Creates a lane without a connection.
   *
   * @param config its settings
   * @param port the shell
   * @param now the time
   */
  public Lane(LaneConfig config, LanePort port, long now) {
    core = new LaneCore(config, port, now);
    inbound = new LaneInbound(core);
  }

  // --- Events

  /**
   * A connection is there and both proofs held. Restating begins.
   *
   * @param maxFrameLength longest frame agreed
   * @param peerChannelLimit channels that the peer lets this side open
   * @param peerHeartbeat how often the peer pings, in nanoseconds
   * @param now the time
   */
  public void connected(int maxFrameLength, int peerChannelLimit, long peerHeartbeat, long now) {
    core.connected(maxFrameLength, peerChannelLimit, peerHeartbeat, now);
  }

  /**
   * No connection could be made, or the peer refused it.
   *
   * @param code why
   * @param text for a person
   * @param hopeless whether trying again cannot help
   * @param now the time
   */
  public void connectFailed(ErrorCode code, String text, boolean hopeless, long now) {
    core.connectFailed(code, text, hopeless, now);
  }

  /**
   * The connection is gone, for whatever reason. Channels stay.
   *
   * @param now the time
   */
  public void disconnected(long now) {
    core.disconnected(now);
  }

  /**
   * Bytes came. Call it before the frames in them.
   *
   * @param now the time
   */
  public void bytesRead(long now) {
    core.life().bytesRead(now);
  }

  /**
   * Bytes were taken by the socket.
   *
   * @param now the time
   */
  public void bytesWritten(long now) {
    core.life().bytesWritten(now);
  }

  /**
   * Whether written bytes wait for the socket.
   *
   * @param pending whether some do
   * @param now the time
   */
  public void writePending(boolean pending, long now) {
    core.life().writePending(pending, now);
  }

  /**
   * The receiver of the peer's frames.
   *
   * @return the same for the life of the lane
   */
  public Frames inbound() {
    return inbound;
  }

  /**
   * Something's time may have come: call it at {@link #deadline()}.
   *
   * @param now the time
   */
  public void timeout(long now) {
    core.timeout(now);
  }

  // --- Commands

  /**
   * Opens a channel of which this side is the sender.
   *
   * @param key the channel
   * @param binding the gate
   * @param openDeadline when it fails if the consumer has not come
   * @return the channel, or null if the lane takes no more: it is dead, drains, or the peer's limit
   *     is reached
   */
  public SendFlow openSend(ChannelKey key, Binding.Send binding, long openDeadline) {
    return core.openSend(key, binding, openDeadline);
  }

  /**
   * Opens a channel of which this side is the receiver.
   *
   * @param key the channel
   * @param binding the gate
   * @param openDeadline when it fails if the producer has not come
   * @return the channel, or null if the lane takes no more: it is dead, drains, or the peer's limit
   *     is reached
   */
  public ReceiveFlow openReceive(ChannelKey key, Binding.Receive binding, long openDeadline) {
    return core.openReceive(key, binding, openDeadline);
  }

  /**
   * Gives a waiting channel its gate.
   *
   * @param number the number that {@link LanePort#admit} was asked about
   * @param binding the gate
   * @param onFlow told the channel before anything else happens to it; not called if it no longer
   *     waits
   * @return whether it still waited
   */
  public boolean answer(int number, Binding binding, Consumer<Flow> onFlow) {
    return core.answer(number, binding, onFlow);
  }

  /**
   * Refuses a waiting channel.
   *
   * @param number the number that {@link LanePort#admit} was asked about
   * @param code why
   * @param text for a person
   */
  public void refuse(int number, ErrorCode code, String text) {
    core.refuse(number, code, text);
  }

  /**
   * More has been committed to a sending channel.
   *
   * @param flow the channel
   */
  public void committed(SendFlow flow) {
    core.ready(flow);
  }

  /**
   * Nothing more will be committed: send the rest, then wait until the consumer has taken it.
   *
   * @param flow the channel
   * @param deadline when the outcome is reported as unknown; {@link #NEVER} for none
   */
  public void finish(SendFlow flow, long deadline) {
    flow.finish(deadline);
  }

  /**
   * Gives a sending channel up.
   *
   * @param flow the channel
   * @param code why
   * @param text for a person
   * @param deadline when the outcome is reported as unknown if the peer has not confirmed; {@link
   *     #NEVER} for none
   */
  public void abort(SendFlow flow, ErrorCode code, String text, long deadline) {
    flow.abort(code, text, deadline);
  }

  /**
   * The application gave memory of a receiving channel back. What a channel holds when it ends
   * stays charged to its budget until it is given back, too.
   *
   * @param flow the channel
   * @param position record bytes given back so far
   */
  public void consumed(ReceiveFlow flow, long position) {
    flow.consumed(position);
  }

  /**
   * The application has walked all that is queued of a receiving channel and waits for more: what
   * credit there is must reach the sender now, even if the application holds on to memory. To be
   * told while {@link ReceiveFlow#senderStarved()}.
   *
   * <p>For shells whose applications keep memory beyond the call that handed it out: there a sender
   * may need the rest of its credit to end the very message that is waited for. Where memory comes
   * back when that call returns, who has walked everything has given everything back, and {@link
   * #consumed} says it.
   *
   * @param flow the channel
   * @param position record bytes given back so far
   */
  public void caughtUp(ReceiveFlow flow, long position) {
    flow.caughtUp(position);
  }

  /**
   * The application has taken records of a receiving channel.
   *
   * @param flow the channel
   * @param position record bytes taken so far
   */
  public void taken(ReceiveFlow flow, long position) {
    flow.taken(position);
  }

  /**
   * Gives a receiving channel up; with {@link ErrorCode#STOPPED} that is not a failure of the
   * producer.
   *
   * @param flow the channel
   * @param code why
   * @param text for a person
   */
  public void stop(ReceiveFlow flow, ErrorCode code, String text) {
    flow.reset(code, text);
  }

  /**
   * Answers {@link CreditShare.Listener#onFloatAvailable}.
   *
   * @param flow the channel
   */
  public void floatAvailable(ReceiveFlow flow) {
    flow.floatAvailable();
  }

  /**
   * Takes no new channels; live ones may finish, then the lane is over.
   *
   * @param code why
   * @param text for a person
   */
  public void drain(ErrorCode code, String text) {
    core.drain(code, text);
  }

  /**
   * Ends the session from this side: GOAWAY, and every channel fails.
   *
   * @param code why
   * @param text for a person
   */
  public void close(ErrorCode code, String text) {
    core.close(code, text);
  }

  // --- Output

  /**
   * Whether {@link #write} has something to write now.
   *
   * @return true if it has
   */
  public boolean hasOutput() {
    return core.hasOutput();
  }

  /**
   * Writes what is due: restating and control frames first, then DATA in turns, until the sink is
   * full.
   *
   * @param out the connection's sink
   * @param now the time
   */
  public void write(FrameSink out, long now) {
    core.write(out, now);
  }

  /**
   * When {@link #timeout} is to be called.
   *
   * @return the earliest deadline, {@link #NEVER} if there is none; it may change with every call
   *     of this object
   */
  public long deadline() {
    return core.deadline();
  }

  // --- Queries

  /**
   * Where the lane stands.
   *
   * @return the state
   */
  public State state() {
    return core.state();
  }

  /**
   * Whether both sides have ever restated.
   *
   * @return true once the lane has been up
   */
  public boolean everUp() {
    return core.life().everUp();
  }

  /**
   * What the lane has counted.
   *
   * @return live counters
   */
  public LaneStats stats() {
    return core.stats();
  }

  LaneCore core() {
    return core;
  }

  /**
   * The lane's channels, those that wait for a gate or for a confirmation included.
   *
   * @return how many
   */
  public int channels() {
    return core.channels().size();
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.WireLimits;
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

  final LaneConfig config;
  final LanePort port;

  private final LaneStats stats = new LaneStats();
  private final FlowTable flows = new FlowTable();
  private final DeadlineHeap deadlines = new DeadlineHeap();
  private final DirtyList dirtyFlows = new DirtyList();
  private final ReadyQueue readyFlows = new ReadyQueue();
  private final ClosedAnswers closedAnswers = new ClosedAnswers();
  private final LaneInbound inbound = new LaneInbound(this);
  private final LaneLife life;
  private final FrameCut cut = new FrameCut();
  private final Restating restating = new Restating();

  private State state = State.BROKEN;
  private boolean sayingGoAway;
  private ErrorCode goAwayCode;
  private String goAwayText = "";
  private boolean draining;
  private boolean peerDraining;
  private int nextNumber;
  private int highestPeerNumber;
  private boolean anyPeerNumber;
  private int waiting;
  private int peerChannels;
  private int maxPayload;
  private int peerMaxChannels = Integer.MAX_VALUE;
  private int ownChannels;
  private boolean pongDue;
  private long pongValue;
  private boolean pingDue;
  private long pingValue;

  /**
   * Creates a lane without a connection.
   *
   * @param config its settings
   * @param port the shell
   * @param now the time
   */
  public Lane(LaneConfig config, LanePort port, long now) {
    this.config = config;
    this.port = port;
    this.life = new LaneLife(this, now);
    this.nextNumber = config.dialer() ? 0 : 1;
    this.maxPayload = config.maxPayload();
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
    if (state == State.DEAD) {
      return;
    }
    if (state != State.BROKEN) {
      disconnected(now);
    }
    state = State.RESTATING;
    maxPayload = Math.min(config.maxPayload(), maxFrameLength - WireLimits.MAX_HEADER_BYTES);
    peerMaxChannels = peerChannelLimit;
    Flow[] sorted = flows.sorted();
    for (Flow flow : sorted) {
      flow.restated = false;
    }
    restating.begin(sorted);
    life.connected(peerHeartbeat, now);
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
    if (state == State.DEAD) {
      return;
    }
    if (hopeless) {
      die(code, text);
    } else {
      life.connectFailed(code, text, now);
    }
  }

  /**
   * The connection is gone, for whatever reason. Channels stay.
   *
   * @param now the time
   */
  public void disconnected(long now) {
    if (state != State.RESTATING && state != State.UP) {
      return;
    }
    state = State.BROKEN;
    restating.abandon();
    readyFlows.clear();
    dirtyFlows.clear();
    closedAnswers.clear();
    pongDue = false;
    pingDue = false;
    for (Flow flow : flows.sorted()) {
      if (flow instanceof SendFlow send) {
        send.onLaneBroken();
      }
    }
    if (draining && flows.size() == 0) {
      die(goAwayCode, goAwayText);
    } else {
      life.disconnected(now);
    }
  }

  /**
   * Bytes came. Call it before the frames in them.
   *
   * @param now the time
   */
  public void bytesRead(long now) {
    life.bytesRead(now);
  }

  /**
   * Bytes were taken by the socket.
   *
   * @param now the time
   */
  public void bytesWritten(long now) {
    life.bytesWritten(now);
  }

  /**
   * Whether written bytes wait for the socket.
   *
   * @param pending whether some do
   * @param now the time
   */
  public void writePending(boolean pending, long now) {
    life.writePending(pending, now);
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
    if (state == State.DEAD) {
      return;
    }
    while (deadlines.earliest() != NEVER && deadlines.earliest() - now <= 0) {
      Flow flow = deadlines.first();
      deadlines.set(flow, NEVER);
      flow.onDeadline();
    }
    life.timeout(now);
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
    return opens()
        ? opened(new SendFlow(this, takeNumber(), key, true, binding), openDeadline)
        : null;
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
    return opens()
        ? opened(new ReceiveFlow(this, takeNumber(), key, true, binding), openDeadline)
        : null;
  }

  private boolean opens() {
    return state != State.DEAD
        && !draining
        && !peerDraining
        && ownChannels < peerMaxChannels
        && nextNumber >= -2;
  }

  private int takeNumber() {
    int number = nextNumber;
    nextNumber += 2;
    ownChannels++;
    return number;
  }

  private <F extends Flow> F opened(F flow, long openDeadline) {
    flows.put(flow);
    deadline(flow, openDeadline);
    if (state == State.UP) {
      flow.onLaneUp();
    }
    flow.owe(Flow.DUE_OPEN);
    return flow;
  }

  /**
   * Gives a waiting channel its gate.
   *
   * @param number the number that {@link LanePort#admit} was asked about
   * @param binding the gate
   * @return the channel, or null if it no longer waits
   */
  public Flow answer(int number, Binding binding) {
    return answer(number, binding, flow -> {});
  }

  private Flow answer(int number, Binding binding, Consumer<Flow> onFlow) {
    if (state == State.DEAD
        || !(flows.get(number) instanceof WaitingFlow waitingFlow)
        || waitingFlow.terminal()) {
      return null;
    }
    waiting--;
    deadline(waitingFlow, NEVER);
    Flow flow = waitingFlow.answer(binding);
    flow.restated = waitingFlow.restated;
    flows.put(flow);
    onFlow.accept(flow);
    if (state == State.UP) {
      flow.onLaneUp();
    }
    flow.owe(Flow.DUE_OPEN);
    waitingFlow.handOver(flow);
    return flow;
  }

  /**
   * Refuses a waiting channel.
   *
   * @param number the number that {@link LanePort#admit} was asked about
   * @param code why
   * @param text for a person
   */
  public void refuse(int number, ErrorCode code, String text) {
    if (state != State.DEAD && flows.get(number) instanceof WaitingFlow waitingFlow) {
      waitingFlow.refuse(code, text);
    }
  }

  /**
   * More has been committed to a sending channel.
   *
   * @param flow the channel
   */
  public void committed(SendFlow flow) {
    ready(flow);
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
   * The application gave memory of a receiving channel back.
   *
   * @param flow the channel
   * @param position record bytes given back so far
   */
  public void consumed(ReceiveFlow flow, long position) {
    flow.consumed(position);
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
    if (state != State.DEAD && !draining) {
      draining = true;
      sayGoAway(code, text);
      dieIfDrained();
    }
  }

  /**
   * Ends the session from this side: GOAWAY, and every channel fails.
   *
   * @param code why
   * @param text for a person
   */
  public void close(ErrorCode code, String text) {
    if (state != State.DEAD) {
      draining = false;
      boolean connected = state != State.BROKEN;
      sayGoAway(code, text);
      die(code, text);
      sayingGoAway = connected;
      if (connected) {
        port.disconnect(true, code, text);
      }
    }
  }

  private void sayGoAway(ErrorCode code, String text) {
    sayingGoAway = true;
    goAwayCode = code;
    goAwayText = text;
  }

  // --- Output

  /**
   * Whether {@link #write} has something to write now.
   *
   * @return true if it has
   */
  public boolean hasOutput() {
    if (sayingGoAway) {
      return state != State.BROKEN;
    }
    return switch (state) {
      case RESTATING -> pongDue || pingDue || restating.hasOutput();
      case UP ->
          pongDue
              || pingDue
              || !closedAnswers.isEmpty()
              || !dirtyFlows.isEmpty()
              || !readyFlows.isEmpty();
      default -> false;
    };
  }

  /**
   * Writes what is due: restating and control frames first, then DATA in turns, until the sink is
   * full.
   *
   * @param out the connection's sink
   * @param now the time
   */
  public void write(FrameSink out, long now) {
    if (!out.hasRoom() || !hasOutput()) {
      return;
    }
    Frames frames = out.frames();
    if (sayingGoAway) {
      sayingGoAway = false;
      frames.goAway(goAwayCode, goAwayText, draining);
    }
    writeHeartbeat(out, frames);
    if (state == State.RESTATING) {
      restating.write(out, draining);
      upIfRestated();
    }
    if (state == State.UP) {
      closedAnswers.write(out);
      dirtyFlows.write(out);
      readyFlows.send(out, cut, config.quantum(), maxPayload);
      // What the turn found out (DEMAND, FINISH) goes with it.
      dirtyFlows.write(out);
    }
    life.wrote(now);
    dieIfDrained();
  }

  private void writeHeartbeat(FrameSink out, Frames frames) {
    if (pongDue && out.hasRoom()) {
      pongDue = false;
      frames.pong(pongValue);
    }
    if (pingDue && out.hasRoom()) {
      pingDue = false;
      frames.ping(++pingValue);
    }
  }

  /**
   * When {@link #timeout} is to be called.
   *
   * @return the earliest deadline, {@link #NEVER} if there is none; it may change with every call
   *     of this object
   */
  public long deadline() {
    long ofFlows = deadlines.earliest();
    long ofLife = state == State.DEAD ? NEVER : life.deadline();
    if (ofFlows == NEVER || ofLife == NEVER) {
      return ofFlows == NEVER ? ofLife : ofFlows;
    }
    return ofFlows - ofLife < 0 ? ofFlows : ofLife;
  }

  // --- For the flows and the other parts of the lane

  void dirty(Flow flow) {
    dirtyFlows.add(flow);
  }

  void ready(SendFlow flow) {
    if (state == State.UP && !flow.ready && (flow.sendable() || flow.settle())) {
      readyFlows.add(flow);
    }
  }

  void deadline(Flow flow, long deadline) {
    deadlines.set(flow, deadline);
  }

  /**
   * A flow is over: it is forgotten at once; a terminal of the peer that comes again is answered by
   * number.
   */
  void done(Flow flow) {
    flows.remove(flow.number);
    if (flow.opener) {
      ownChannels--;
    } else {
      peerChannels--;
    }
    if (!(flow instanceof WaitingFlow)) {
      port.forgotten(flow);
    }
    dieIfDrained();
  }

  void stoppedWaiting(WaitingFlow flow) {
    waiting--;
    port.stoppedWaiting(flow.number, flow.role(), flow.key);
  }

  void progress() {
    life.progress();
  }

  void requestPing() {
    pingDue = true;
  }

  /** The peer broke a rule: the session ends. */
  void violate(ErrorCode code, String text) {
    close(code, text);
  }

  void breakConnection(ErrorCode code, String text, long now) {
    port.disconnect(false, code, text);
    disconnected(now);
  }

  /** Fails every channel and ends the lane. */
  void die(ErrorCode code, String text) {
    if (state == State.DEAD) {
      return;
    }
    state = State.DEAD;
    restating.abandon();
    readyFlows.clear();
    dirtyFlows.clear();
    closedAnswers.clear();
    for (Flow flow : flows.sorted()) {
      flow.onLaneDead(code, text);
    }
    dirtyFlows.clear();
    port.dead(code, text);
  }

  private void dieIfDrained() {
    boolean drained = (draining || peerDraining) && flows.size() == 0 && state != State.DEAD;
    if (drained && (state == State.BROKEN || !hasOutput())) {
      boolean connected = state != State.BROKEN;
      die(ErrorCode.SHUTTING_DOWN, goAwayText.isEmpty() ? "the session has drained" : goAwayText);
      if (connected) {
        port.disconnect(true, ErrorCode.SHUTTING_DOWN, goAwayText);
      }
    }
  }

  // --- For the peer's frames

  Flow flow(int number) {
    return flows.get(number);
  }

  boolean isLive(Flow flow) {
    return flows.get(flow.number) == flow;
  }

  boolean isConnected() {
    return state == State.RESTATING || state == State.UP;
  }

  boolean isUp() {
    return state == State.UP;
  }

  boolean peerIsReady() {
    return restating.peerIsReady();
  }

  boolean isPeerNumber(int number) {
    return (number & 1) == (config.dialer() ? 1 : 0);
  }

  boolean isNewPeerNumber(int number) {
    return !anyPeerNumber || Integer.compareUnsigned(number, highestPeerNumber) > 0;
  }

  /** Whether a number has been used on this lane. */
  boolean isKnown(int number) {
    return isPeerNumber(number)
        ? !isNewPeerNumber(number)
        : Integer.compareUnsigned(number, nextNumber) < 0;
  }

  void seenPeerNumber(int number) {
    anyPeerNumber = true;
    highestPeerNumber = number;
  }

  void answerClosed(int number) {
    if (!closedAnswers.add(number)) {
      violate(ErrorCode.PROTOCOL_VIOLATION, "terminals of channels that are over, again and again");
    }
  }

  void peerRestated() {
    restating.peerRestated();
  }

  void peerOpens(
      int number,
      Role role,
      ChannelKey key,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    seenPeerNumber(number);
    if (!peerIsReady()) {
      peerRestated();
    }
    WaitingFlow flow = new WaitingFlow(this, number, key, role);
    flow.restated = true;
    flow.onPeerState(position, sequence, backlog, consumed, limit, floor);
    flows.put(flow);
    peerChannels++;
    waiting++;
    Admission admission = admission(number, role, key);
    if (admission instanceof Admission.Accept accept) {
      Flow answered = answer(number, accept.binding(), accept.onFlow());
      assert answered != null;
    } else if (admission instanceof Admission.Refuse refusal) {
      flow.refuse(refusal.code(), refusal.text());
    } else {
      deadline(flow, life.heard() + config.openTimeout());
    }
  }

  private Admission admission(int number, Role role, ChannelKey key) {
    if (draining) {
      return new Admission.Refuse(ErrorCode.SHUTTING_DOWN, "the node is closing");
    }
    if (peerChannels > config.maxChannels()) {
      return new Admission.Refuse(
          ErrorCode.RESOURCE_EXHAUSTED,
          "more than " + config.maxChannels() + " channels on a lane (option maxChannels)");
    }
    Admission admission = port.admit(number, role, key);
    if (admission instanceof Admission.Wait && waiting > config.maxWaiting()) {
      return new Admission.Refuse(
          ErrorCode.RESOURCE_EXHAUSTED,
          "more than "
              + config.maxWaiting()
              + " channels wait for their gates (option maxWaitingChannels)");
    }
    return admission;
  }

  void peerReady(int liveChannels, boolean isDraining) {
    if (peerIsReady() || !restating.peerReady(liveChannels)) {
      violate(
          ErrorCode.PROTOCOL_VIOLATION,
          "READY with "
              + liveChannels
              + " channels, not as many as were restated, or a second one");
      return;
    }
    for (Flow flow : flows.sorted()) {
      if (flow.expectsRestating() && !flow.restated) {
        flow.onForgotten();
      }
    }
    if (isDraining) {
      peerDrains();
    }
    upIfRestated();
  }

  private void upIfRestated() {
    if (state != State.RESTATING || !restating.complete()) {
      return;
    }
    state = State.UP;
    if (life.up()) {
      stats.resumes++;
    }
    for (Flow flow : flows.sorted()) {
      flow.onLaneUp();
    }
    port.up();
    dieIfDrained();
  }

  private void peerDrains() {
    peerDraining = true;
    port.peerDraining();
  }

  void peerPings(long value) {
    if (isConnected()) {
      pongDue = true;
      pongValue = value;
    }
  }

  void peerGoesAway(ErrorCode code, String text, boolean onlyDrains) {
    if (onlyDrains) {
      goAwayText = text;
      peerDrains();
      dieIfDrained();
    } else {
      die(code, "the peer ended the session: " + text);
      port.disconnect(false, code, text);
    }
  }

  // --- Queries

  /**
   * Where the lane stands.
   *
   * @return the state
   */
  public State state() {
    return state;
  }

  /**
   * Whether both sides have ever restated.
   *
   * @return true once the lane has been up
   */
  public boolean everUp() {
    return life.everUp();
  }

  /**
   * What the lane has counted.
   *
   * @return live counters
   */
  public LaneStats stats() {
    return stats;
  }

  /**
   * The lane's channels, those that wait for a gate or for a confirmation included.
   *
   * @return how many
   */
  public int channels() {
    return flows.size();
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.Admission;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.FrameSink;
import dev.penstock.transport.protocol.HandshakeConfig;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.LanePort;
import dev.penstock.transport.protocol.LaneStats;
import dev.penstock.transport.protocol.Trust;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A lane on its event loop: one core {@link Lane}, at most one connection at a time, one timer, and
 * the turns in which the core writes.
 *
 * <p>Confined to the loop, but for {@link #execute} and the signals of output channels.
 */
final class NettyLane implements LanePort, InboundLane.Port {
  /** What a lane belongs to. */
  interface Owner {
    /** Makes a connection for the lane; on its loop. */
    void connect(NettyLane lane, int epoch);

    /** The lane came up. */
    void laneUp(NettyLane lane, boolean resumed);

    /** The lane's connection broke. */
    void laneBroken(NettyLane lane, ErrorCode code, String text);

    /** The lane is over. */
    void laneDead(NettyLane lane, ErrorCode code, String text);

    /** The peer takes no new channels. */
    void draining();
  }

  private final int number;
  private final EventLoop loop;
  private final Owner owner;
  private final Gates gates;
  private final Lane core;
  private final LaneSignals<OutgoingChannel> signals;
  private final InboundLane inbound;
  private final List<IncomingChannel> touched = new ArrayList<>();
  private final Runnable turn = this::turn;
  private final Set<OutgoingChannel> sending = new HashSet<>();

  private LaneLink link;
  private boolean payloadCrc = true;
  private boolean inTurn;
  private boolean turnPending;
  private Future<?> timer;
  private long timerAt = Lane.NEVER;
  private long earlierBytesSent;
  private long earlierBytesReceived;
  private long lastWritten;

  NettyLane(Node node, Gates gates, Owner owner, int number, EventLoop loop, boolean dialer) {
    this.number = number;
    this.loop = loop;
    this.owner = owner;
    this.gates = gates;
    this.core = new Lane(node.laneConfig(dialer), this, System.nanoTime());
    this.signals = new LaneSignals<>(loop, this::signalled);
    this.inbound = new InboundLane(node.receiveMemory(), loop, this);
  }

  // --- Any thread

  int number() {
    return number;
  }

  EventLoop loop() {
    return loop;
  }

  LaneSignals<OutgoingChannel> signals() {
    return signals;
  }

  InboundLane inbound() {
    return inbound;
  }

  /**
   * Runs something with the core on the loop, and then a turn. Does nothing when the loop has
   * stopped.
   */
  void execute(Runnable command) {
    try {
      loop.execute(
          () -> {
            command.run();
            turn();
          });
    } catch (RejectedExecutionException e) {
      Log.LOG.debug("the transport is closed: lane {} does nothing more", number);
    }
  }

  // --- The loop's

  Lane core() {
    return core;
  }

  LaneStats stats() {
    return core.stats();
  }

  Frames frames() {
    return core.inbound();
  }

  LaneLink link() {
    return link;
  }

  boolean payloadCrc() {
    return payloadCrc;
  }

  boolean isConnected() {
    return link != null;
  }

  long bytesSent() {
    return earlierBytesSent + (link == null ? 0 : link.bytesWritten());
  }

  long bytesReceived() {
    return earlierBytesReceived + (link == null ? 0 : link.bytesRead());
  }

  /** A trusted connection takes the place of the one that the lane had. */
  void attach(LaneLink fresh, Trust trust) {
    boolean crc = (trust.features() & HandshakeConfig.PAYLOAD_CRC_OFF) == 0;
    long heartbeat = TimeUnit.MILLISECONDS.toNanos(trust.peerHeartbeatMillis());
    adopt(fresh, trust.maxFrameLength(), trust.peerMaxChannels(), heartbeat, crc);
    turn();
  }

  /**
   * A link that needs no trust, or has it, takes the place of the one that the lane had. A {@link
   * #turn} must follow.
   */
  void adopt(
      LaneLink fresh,
      int maxFrameLength,
      int peerMaxChannels,
      long peerHeartbeat,
      boolean withPayloadCrc) {
    LaneLink old = link;
    if (old != null) {
      linkOver(old);
      link = null;
      old.abandon();
      core.disconnected(System.nanoTime());
    }
    if (core.state() == Lane.State.DEAD) {
      fresh.abandon();
      return;
    }
    link = fresh;
    lastWritten = 0;
    payloadCrc = withPayloadCrc;
    core.connected(maxFrameLength, peerMaxChannels, peerHeartbeat, System.nanoTime());
    fresh.carry(this);
  }

  void connectFailed(ErrorCode code, String text, boolean hopeless) {
    core.connectFailed(code, text, hopeless, System.nanoTime());
    turn();
  }

  void connectionLost(LaneLink lost, ErrorCode code, String text) {
    if (lost == link) {
      linkOver(lost);
      link = null;
      owner.laneBroken(this, code, text);
      core.disconnected(System.nanoTime());
      turn();
    }
  }

  /** A link is over, perhaps in the middle of a read. */
  private void linkOver(LaneLink over) {
    inbound.endRead();
    earlierBytesSent += over.bytesWritten();
    earlierBytesReceived += over.bytesRead();
  }

  void bytesRead() {
    core.bytesRead(System.nanoTime());
  }

  /**
   * A channel has received something, or its consumer has news: it is looked at when the turn ends.
   */
  void touch(IncomingChannel channel) {
    if (!channel.touched) {
      channel.touched = true;
      touched.add(channel);
    }
  }

  /** Frames follow; {@link #readTurnEnd} unless the link is lost before. */
  void readTurnBegin() {
    inbound.beginRead();
  }

  void readTurnEnd() {
    inbound.endRead();
    turn();
  }

  private void signalled() {
    signals.begin();
    OutgoingChannel channel = signals.next();
    while (channel != null) {
      channel.onCommitted(core);
      channel = signals.next();
    }
    turn();
  }

  @Override
  public void onAttention(InboundChannel channel) {
    touch((IncomingChannel) channel.attachment());
  }

  @Override
  public void onAttentionEnd() {
    turn();
  }

  /** Output channels on this lane. */
  Set<OutgoingChannel> sending() {
    return sending;
  }

  /** About once a second. */
  void watchStalls() {
    sending.forEach(OutgoingChannel::watchStall);
  }

  /** Looks at what changed, writes what is due, and sets the timer. */
  void turn() {
    if (inTurn) {
      turnPending = true;
      return;
    }
    inTurn = true;
    try {
      turnPending = false;
      long now = System.nanoTime();
      for (int i = 0; i < touched.size(); i++) {
        touched.get(i).apply(core);
      }
      write(now);
      if (settle()) {
        write(now);
      }
      armTimer(now);
    } finally {
      inTurn = false;
    }
    if (turnPending || moreToWrite()) {
      turnPending = false;
      loop.execute(turn);
    }
  }

  /** Has consumers tell when it matters; returns whether it mattered already. */
  private boolean settle() {
    boolean again = false;
    for (int i = 0; i < touched.size(); i++) {
      IncomingChannel channel = touched.get(i);
      channel.touched = false;
      again |= channel.settle(core);
    }
    touched.clear();
    return again;
  }

  private boolean moreToWrite() {
    return link != null && core.hasOutput() && link.isWritable();
  }

  private void write(long now) {
    LaneLink current = link;
    if (current == null) {
      return;
    }
    FrameSink sink = current.sink();
    if (core.hasOutput() && sink.hasRoom()) {
      core.write(sink, now);
      current.endTurn();
    }
    if (link == current) {
      watchSocket(current, now);
    }
  }

  private void watchSocket(LaneLink current, long now) {
    long pending = current.bytesPending();
    long written = current.bytesWritten() - pending;
    if (written > lastWritten) {
      lastWritten = written;
      core.bytesWritten(now);
    }
    core.writePending(pending > 0, now);
  }

  private void armTimer(long now) {
    long at = core.deadline();
    if (at == Lane.NEVER || (timer != null && timerAt - at <= 0)) {
      return; // an early timer looks again
    }
    if (timer != null) {
      timer.cancel(false);
    }
    timerAt = at;
    timer = loop.schedule(this::timeout, Math.max(0, at - now), TimeUnit.NANOSECONDS);
  }

  private void timeout() {
    timer = null;
    long now = System.nanoTime();
    if (link != null) {
      watchSocket(link, now);
    }
    long at = core.deadline();
    if (at != Lane.NEVER && at - now <= 0) {
      core.timeout(now);
    }
    turn();
  }

  // --- LanePort

  @Override
  public void connect(int epoch) {
    owner.connect(this, epoch);
  }

  @Override
  public double jitter() {
    return Node.jitter();
  }

  @Override
  public void disconnect(boolean afterWriting, ErrorCode code, String text) {
    LaneLink over = link;
    if (over == null) {
      return;
    }
    if (afterWriting) {
      if (core.hasOutput() && over.sink().hasRoom()) {
        core.write(over.sink(), System.nanoTime());
      }
      over.endTurn(); // a lane that has drained ends in the turn that wrote its last words
    }
    linkOver(over);
    link = null;
    if (afterWriting) {
      over.leave();
    } else {
      over.abandon();
    }
    owner.laneBroken(this, code, text);
  }

  @Override
  public void up() {
    owner.laneUp(this, core.stats().resumes > 0);
  }

  @Override
  public void dead(ErrorCode code, String text) {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
    owner.laneDead(this, code, text);
  }

  @Override
  public void peerDraining() {
    owner.draining();
  }

  @Override
  public Admission admit(int channel, Role role, ChannelKey key) {
    return gates.admit(this, channel, role, key);
  }

  @Override
  public void stoppedWaiting(int channel, Role role, ChannelKey key) {
    gates.stoppedWaiting(this, channel, role, key);
  }

  @Override
  public void forgotten(Flow flow) {}
}

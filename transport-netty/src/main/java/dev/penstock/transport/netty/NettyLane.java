package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.Admission;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.HandshakeConfig;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.LanePort;
import dev.penstock.transport.protocol.LaneStats;
import dev.penstock.transport.protocol.Trust;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
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

  private Connection connection;
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

  FramePayload payload() {
    return connection.reader();
  }

  boolean payloadCrc() {
    return payloadCrc;
  }

  boolean isConnected() {
    return connection != null;
  }

  long bytesSent() {
    return earlierBytesSent + (connection == null ? 0 : connection.writer().bytesWritten());
  }

  long bytesReceived() {
    return earlierBytesReceived + (connection == null ? 0 : connection.reader().bytesRead());
  }

  /** A trusted connection takes the place of the one that the lane had. */
  void attach(Connection fresh, Trust trust) {
    Connection old = connection;
    if (old != null) {
      count(old);
      connection = null;
      old.abandon();
      core.disconnected(System.nanoTime());
    }
    if (core.state() == Lane.State.DEAD) {
      fresh.abandon();
      return;
    }
    connection = fresh;
    lastWritten = 0;
    payloadCrc = (trust.features() & HandshakeConfig.PAYLOAD_CRC_OFF) == 0;
    core.connected(
        trust.maxFrameLength(),
        trust.peerMaxChannels(),
        TimeUnit.MILLISECONDS.toNanos(trust.peerHeartbeatMillis()),
        System.nanoTime());
    fresh.carry(this);
    turn();
  }

  void connectFailed(ErrorCode code, String text, boolean hopeless) {
    core.connectFailed(code, text, hopeless, System.nanoTime());
    turn();
  }

  void connectionLost(Connection lost, ErrorCode code, String text) {
    if (lost == connection) {
      count(lost);
      connection = null;
      owner.laneBroken(this, code, text);
      core.disconnected(System.nanoTime());
      turn();
    }
  }

  private void count(Connection over) {
    earlierBytesSent += over.writer().bytesWritten();
    earlierBytesReceived += over.reader().bytesRead();
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

  void readTurnEnd() {
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
    return connection != null && core.hasOutput() && connection.channel().isWritable();
  }

  private void write(long now) {
    Connection current = connection;
    if (current == null) {
      return;
    }
    FrameWriter writer = current.writer();
    if (core.hasOutput() && writer.hasRoom()) {
      core.write(writer, now);
      writer.endTurn();
    }
    watchSocket(current, now);
  }

  private void watchSocket(Connection current, long now) {
    ChannelOutboundBuffer buffer = current.channel().unsafe().outboundBuffer();
    long pending = buffer == null ? 0 : buffer.totalPendingWriteBytes();
    long written = current.writer().bytesWritten() - pending;
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
    if (connection != null) {
      watchSocket(connection, now);
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
    Connection over = connection;
    if (over == null) {
      return;
    }
    if (afterWriting) {
      FrameWriter writer = over.writer();
      if (core.hasOutput() && writer.hasRoom()) {
        core.write(writer, System.nanoTime());
        writer.endTurn();
      }
    }
    count(over);
    connection = null;
    over.abandon();
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

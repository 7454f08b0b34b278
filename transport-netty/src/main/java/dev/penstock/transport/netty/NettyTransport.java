package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MemoryBudget;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.TransportSnapshot;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.Flow;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A node over Netty: its loops, its sessions, its gates, and their end. */
final class NettyTransport implements Transport, GateHost {
  private static final long CLOSE_SECONDS = 10;
  private static final long STALL_LOOK_SECONDS = 1;

  private final TransportOptions options;
  private final PooledByteBufAllocator allocator;
  private final Node node;
  private final EventLoops loops;
  private final Gates gates = new Gates(end -> meetInside((IncomingChannel) end));
  private final Sessions sessions;
  private final Acceptor acceptor;

  /** All of them; one that comes when the group is closed is closed at once. */
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

  private final NettyMemoryBudget defaultBudget;
  private final Assembler assembler;
  private final Set<AutoCloseable> openGates = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  /** Opens one; when that fails nothing is left of it. */
  static NettyTransport open(TransportOptions options) {
    EventLoops loops = new EventLoops(options.ioKind(), options.eventLoops(), options.nodeName());
    NettyTransport opened = null;
    try {
      opened = new NettyTransport(options, loops);
      return opened;
    } finally {
      if (opened == null) {
        var unused = loops.shutdown();
      }
    }
  }

  private NettyTransport(TransportOptions options, EventLoops loops) {
    this.options = options;
    this.loops = loops;
    this.allocator = loops.allocator();
    this.node = new Node(options, allocator);
    this.sessions = new Sessions(node, gates, loops, connections);
    this.acceptor = new Acceptor(node, sessions, loops, connections);
    this.defaultBudget = createBudget(options.budgetBytes(), options.budgetChannels());
    // One message of any length that is allowed must fit, and memory comes in the allocator's
    // sizes.
    this.assembler =
        new Assembler(
            allocator,
            Math.max(
                options.assemblyBytes(), ReceiveMemory.allocatedSize(options.maxMessageLength())));
    loops.every(STALL_LOOK_SECONDS, () -> sessions.all().forEach(NettySession::watchStalls));
  }

  // --- Transport

  @Override
  public InetSocketAddress bind(InetSocketAddress address) {
    checkOpen();
    return acceptor.bind(address);
  }

  @Override
  public CompletableFuture<String> dial(InetSocketAddress address) {
    checkOpen();
    return session(address).firstUp().copy();
  }

  @Override
  public OutputGate openOutput(OutputGateOptions gate) {
    checkOpen();
    NettyOutputGate opened = new NettyOutputGate(gate, this, budget(gate.budget()));
    openGates.add(opened);
    opened.register(gate);
    closeIfLate(opened);
    return opened;
  }

  @Override
  public InputGate openInput(InputGateOptions gate) {
    checkOpen();
    NettyInputGate opened = new NettyInputGate(gate, this, budget(gate.budget()));
    openGates.add(opened);
    closeIfLate(opened);
    return opened;
  }

  /** A gate that was opened while the transport closed may have been overlooked. */
  private void closeIfLate(AutoCloseable opened) {
    if (closing.get()) {
      closeGate(opened);
      checkOpen();
    }
  }

  private NettyMemoryBudget budget(MemoryBudget wanted) {
    if (wanted == null) {
      return defaultBudget;
    }
    if (wanted instanceof NettyMemoryBudget budget) {
      return budget;
    }
    throw new IllegalArgumentException(
        "budget: expected one that createBudget made, got " + wanted);
  }

  @Override
  public NettyMemoryBudget createBudget(long bytes, int channels) {
    return new NettyMemoryBudget(bytes, channels, options.channelFloat(), options.logFloat());
  }

  @Override
  public MemoryBudget defaultBudget() {
    return defaultBudget;
  }

  @Override
  public TransportSnapshot snapshot() {
    checkMayBlock(); // two loops that wait for each other would stop all traffic
    return Snapshots.take(sessions, openGates, allocator);
  }

  @Override
  public List<SocketAddress> boundAddresses() {
    return acceptor.addresses();
  }

  private void checkOpen() {
    if (closing.get()) {
      throw new TransportException(ErrorCode.SHUTTING_DOWN, "the transport is closed");
    }
  }

  PooledByteBufAllocator allocator() {
    return allocator;
  }

  // --- GateHost

  @Override
  public Node node() {
    return node;
  }

  @Override
  public Gates gates() {
    return gates;
  }

  @Override
  public Assembler assembler() {
    return assembler;
  }

  @Override
  public void openSend(OutgoingChannel channel, InetSocketAddress consumer) {
    open(
        () -> session(consumer),
        channel.key(),
        (lane, binding, deadline) ->
            lane.core().openSend(channel.key(), (Binding.Send) binding, deadline),
        channel,
        channel::openFailed);
  }

  @Override
  public void openReceive(IncomingChannel channel, InetSocketAddress producer) {
    openReceive(channel, () -> session(producer));
  }

  /** Both ends of a channel are in this node: the receiving one opens it. */
  private void meetInside(IncomingChannel channel) {
    openReceive(channel, sessions::local);
  }

  private void openReceive(IncomingChannel channel, Supplier<NettySession> with) {
    open(
        with,
        channel.key(),
        (lane, binding, deadline) ->
            lane.core().openReceive(channel.key(), (Binding.Receive) binding, deadline),
        channel,
        channel::openFailed);
  }

  /** The session with whoever is bound there: perhaps this node itself. */
  private NettySession session(InetSocketAddress address) {
    return acceptor.isOwn(address) ? sessions.local() : sessions.to(address);
  }

  private interface Opening {
    Flow open(NettyLane lane, Binding binding, long deadline);
  }

  private interface OpenFailure {
    void failed(ErrorCode code, String text);
  }

  private void open(
      Supplier<NettySession> peer,
      ChannelKey key,
      Opening opening,
      Gates.End end,
      OpenFailure failure) {
    long deadline = System.nanoTime() + Node.nanos(options.openTimeout());
    NettySession session;
    NettyLane lane;
    try {
      session = peer.get();
      lane = session.laneFor(key);
    } catch (TransportException e) {
      failure.failed(e.code(), e.getMessage());
      return;
    }
    lane.execute(
        () -> {
          Binding binding = end.bind(lane);
          if (binding == null) {
            return; // it was given up meanwhile
          }
          Flow flow = opening.open(lane, binding, deadline);
          if (flow != null) {
            end.attached(lane, flow);
            return;
          }
          end.unbound();
          TransportException why = session.end();
          failure.failed(
              why == null ? ErrorCode.RESOURCE_EXHAUSTED : why.code(),
              why == null
                  ? "the session takes no more channels: it drains, or the peer's maxChannels is"
                      + " reached"
                  : why.getMessage());
        });
  }

  @Override
  public void at(long nanoTime, Runnable task) {
    loops.at(nanoTime, task);
  }

  @Override
  public void checkMayBlock() {
    for (EventLoop loop : loops.loops()) {
      if (loop.inEventLoop()) {
        throw new IllegalStateException(
            "this would block an event loop, which may be the one to bring about what is waited"
                + " for: use the form without a timeout, or call it on another thread");
      }
    }
  }

  @Override
  @SuppressWarnings("SuspiciousMethodCalls")
  public void forget(Object gate) {
    openGates.remove(gate);
  }

  // --- The end

  /** For tests of what a loop's end does. */
  EventLoops loops() {
    return loops;
  }

  @Override
  public void close() {
    close(options.drainTimeout());
  }

  @Override
  public void close(Duration drain) {
    checkMayBlock();
    long drainNanos = Deadlines.nanos(drain);
    if (!closing.compareAndSet(false, true)) {
      await(closed, drainNanos + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS));
      return;
    }
    try {
      unlessLoopsEnded(acceptor::unbind);
      unlessLoopsEnded(() -> endSessions(drain, drainNanos));
      for (AutoCloseable gate : openGates) {
        unlessLoopsEnded(() -> closeGate(gate));
      }
      unlessLoopsEnded(this::closeConnections);
    } finally {
      loops.awaitTurn(CLOSE_SECONDS);
      if (!loops.shutdown().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        Log.LOG.warn("threads have not ended within {} s: {}", CLOSE_SECONDS, loops.whereTheyAre());
      }
      closed.complete(null);
    }
  }

  /** A loop whose thread has died takes no more work; what others carry still ends in order. */
  private static void unlessLoopsEnded(Runnable step) {
    try {
      step.run();
    } catch (RejectedExecutionException e) {
      Log.LOG.error("an event loop ended before its node: the node closes without it", e);
    }
  }

  private void endSessions(Duration drain, long drainNanos) {
    CompletableFuture<Void> drained = sessions.drain();
    if (!await(drained, drainNanos)) {
      Log.LOG.info("channels did not finish within {} (option drainTimeout): they fail", drain);
    }
    CompletableFuture<Void> over = sessions.close(ErrorCode.SHUTTING_DOWN, "the node was closed");
    if (loops.isBroken()) {
      Log.LOG.error("an event loop ended before its node: the channels on it are lost");
    } else {
      await(over, TimeUnit.SECONDS.toNanos(CLOSE_SECONDS));
    }
  }

  /** Peers that were told close by themselves; a socket closed before loses what they were told. */
  private void closeConnections() {
    connections
        .newCloseFuture()
        .awaitUninterruptibly(Connection.LINGER_MILLIS, TimeUnit.MILLISECONDS);
    connections.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  private static void closeGate(AutoCloseable gate) {
    if (gate instanceof OutputGate output) {
      output.close();
    } else if (gate instanceof InputGate input) {
      input.close();
    }
  }

  private static boolean await(CompletableFuture<Void> future, long nanos) {
    try {
      future.get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new TransportException(ErrorCode.INTERNAL, null, "closing failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

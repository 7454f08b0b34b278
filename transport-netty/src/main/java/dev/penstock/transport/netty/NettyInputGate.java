package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.wire.Record;
import dev.penstock.transport.wire.Role;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A consumer's gate: one {@link IncomingChannel} per producer, and one queue for all. */
final class NettyInputGate implements InputGate, IncomingChannel.Owner {
  private record Ended(IncomingChannel channel, Ending ending) {}

  private final InputGateOptions options;
  private final GateHost host;
  private final NettyMemoryBudget budget;
  private final InboundQueue queue;
  private final Map<EventLoop, LoopDelivery> loopDeliveries = new ConcurrentHashMap<>();
  private final Map<Integer, IncomingChannel> channels = new ConcurrentHashMap<>();
  private final Queue<Ended> endedUnattached = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ended = new AtomicInteger();
  private final Handing handing = new Handing();
  private volatile int announced = -1;
  private volatile boolean closed;

  NettyInputGate(InputGateOptions options, GateHost host, NettyMemoryBudget budget) {
    this.options = options;
    this.host = host;
    this.budget = budget;
    this.queue = new InboundQueue(maxMessage(), assembler());
  }

  private int maxMessage() {
    return host.node().options().maxMessageLength();
  }

  private Assembler assembler() {
    return options.assemble() ? host.assembler() : null;
  }

  Iterable<IncomingChannel> channels() {
    return channels.values();
  }

  // --- Producers

  @Override
  public void addProducer(int producer, InetSocketAddress node) {
    Objects.requireNonNull(node, "node: the address of the producer's node is missing");
    host.openReceive(add(producer, true), node);
  }

  @Override
  public void addProducer(int producer) {
    add(producer, false);
  }

  private IncomingChannel add(int producer, boolean opens) {
    if (closed) {
      throw new IllegalStateException("the gate is closed");
    }
    if (announced >= 0 && channels.size() >= announced && !channels.containsKey(producer)) {
      throw new IllegalStateException(
          "producer "
              + producer
              + " is one more than the "
              + announced
              + " announced: announce more first, or the gate ends without it");
    }
    ChannelKey key =
        new ChannelKey(options.exchange(), producer, options.consumer(), options.attempt());
    IncomingChannel channel = new IncomingChannel(key, host.node().listener(), this, budget);
    // Who stops the gate at this moment finds a channel that can be stopped.
    if (!channel.reserve()) {
      throw new TransportException(
          ErrorCode.RESOURCE_EXHAUSTED,
          key,
          "the budget of "
              + budget.bytes()
              + " bytes has no floor of "
              + budget.creditFloor()
              + " bytes left for another incoming channel: raise budgetChannels and budgetBytes, or"
              + " give the gate a budget of its own",
          null);
    }
    if (channels.putIfAbsent(producer, channel) != null) {
      channel.withdraw();
      throw new IllegalArgumentException("producer " + producer + " has been added already");
    }
    try {
      host.gates().register(Role.RECEIVER, key, channel, opens);
    } catch (TransportException e) {
      channels.remove(producer);
      channel.withdraw();
      throw e;
    }
    if (channel.endedUnattached()) {
      closed(channel); // when that happened it may not have been registered
    }
    if (closed) {
      channel.stop(ErrorCode.STOPPED, "the consumer's gate was closed"); // it may have missed this
    }
    return channel;
  }

  @Override
  public void announceProducers(int total) {
    if (total < channels.size()) {
      throw new IllegalArgumentException(
          channels.size() + " producers have been added, " + total + " announced");
    }
    announced = total;
    queue.signal();
  }

  // --- IncomingChannel.Owner

  @Override
  public InboundDelivery delivery(NettyLane lane) {
    if (options.loopHandler() == null) {
      return queue;
    }
    return loopDeliveries.computeIfAbsent(
        lane.loop(),
        loop -> {
          Handing onLoop = new Handing();
          onLoop.handler = options.loopHandler();
          return new LoopDelivery(loop, onLoop, maxMessage(), assembler());
        });
  }

  @Override
  public void endedUnattached(IncomingChannel channel, Ending ending) {
    if (options.loopHandler() != null) {
      tellEnd(options.loopHandler(), channel, ending);
      return;
    }
    endedUnattached.add(new Ended(channel, ending));
    queue.signal();
  }

  @Override
  public void closed(IncomingChannel channel) {
    host.gates().unregister(Role.RECEIVER, channel.key(), channel);
  }

  // --- Polling

  @Override
  public int poll(MessageHandler handler, int maxMessages) {
    if (options.loopHandler() != null) {
      throw new IllegalStateException("the gate hands out on the event loop: it is not polled");
    }
    Objects.requireNonNull(handler, "handler");
    if (maxMessages < 1) {
      throw new IllegalArgumentException("maxMessages: expected 1 or more, got " + maxMessages);
    }
    if (handing.handler != null) {
      throw new IllegalStateException(
          "the gate is being polled: not from its handler, and by one thread at a time");
    }
    handing.handler = handler;
    try {
      int count = queue.poll(handing, maxMessages);
      Ended next = endedUnattached.poll();
      while (next != null) {
        tellEnd(handler, next.channel, next.ending);
        next = endedUnattached.poll();
      }
      return count;
    } finally {
      handing.handler = null;
    }
  }

  @Override
  public int poll(MessageHandler handler, int maxMessages, Duration timeout)
      throws InterruptedException {
    int count = poll(handler, maxMessages);
    if (count > 0 || isEnded() || closed) {
      return count;
    }
    host.checkMayBlock();
    long deadline = Deadlines.after(timeout);
    while (queue.await(deadline)) {
      count = poll(handler, maxMessages);
      if (count > 0 || isEnded() || closed) {
        return count;
      }
    }
    return 0;
  }

  private void tellEnd(MessageHandler handler, IncomingChannel channel, Ending ending) {
    ended.incrementAndGet();
    if (!ending.failed()) {
      handler.onEnd(channel.producer());
    } else if (ending.code() != ErrorCode.STOPPED) {
      handler.onFailure(
          channel.producer(),
          new TransportException(ending.code(), channel.key(), ending.text(), null));
    }
  }

  @Override
  public boolean isEnded() {
    int total = announced;
    return total >= 0 && ended.get() >= total;
  }

  // --- Ending

  @Override
  public void stop() {
    stopAll(ErrorCode.STOPPED, "the consumer has enough");
  }

  @Override
  public void stop(int producer) {
    IncomingChannel channel = channels.get(producer);
    if (channel == null) {
      throw new IllegalArgumentException("producer " + producer + " was never added");
    }
    channel.stop(ErrorCode.STOPPED, "the consumer has enough");
  }

  @Override
  public void abort(ErrorCode code, String reason) {
    GateHost.checkAbort(code, reason);
    stopAll(code, reason);
  }

  private void stopAll(ErrorCode code, String reason) {
    for (IncomingChannel channel : channels.values()) {
      channel.stop(code, reason);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      stop();
      queue.signal();
      host.forget(this);
    }
  }

  /** Turns records into the application's calls. */
  private final class Handing implements RecordHandler {
    private MessageHandler handler;

    @Override
    public boolean onRecord(InboundChannel channel, int kind, long sequence, ByteBuffer bytes) {
      int producer = ((IncomingChannel) channel.attachment()).producer();
      if (kind == Record.EVENT) {
        handler.onEvent(producer, bytes);
      } else {
        handler.onMessage(producer, bytes);
      }
      return true;
    }

    @Override
    public boolean onPiece(
        InboundChannel channel, int kind, long sequence, ByteBuffer bytes, int offset, int total) {
      int producer = ((IncomingChannel) channel.attachment()).producer();
      handler.onPiece(producer, bytes, total - offset - bytes.remaining());
      return true;
    }

    @Override
    public void onEnding(InboundChannel channel, Ending ending) {
      tellEnd(handler, (IncomingChannel) channel.attachment(), ending);
    }
  }
}

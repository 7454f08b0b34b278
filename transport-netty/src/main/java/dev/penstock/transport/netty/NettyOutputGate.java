package dev.penstock.transport.netty;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.FinishResult;
import dev.penstock.transport.MessageClaim;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.wire.Record;
import dev.penstock.transport.wire.Role;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A producer's gate: one {@link OutgoingChannel} per consumer. */
final class NettyOutputGate implements OutputGate, OutgoingChannel.Owner, MessageClaim.Target {
  private final OutgoingChannel[] channels;
  private final GateHost host;
  private final AtomicInteger live;
  private final CompletableFuture<FinishResult> finished = new CompletableFuture<>();
  private volatile boolean closing;
  private OutgoingChannel claimed;

  /**
   * Creates a gate; {@link #register} makes it known.
   *
   * @param options what it is
   * @param host the transport
   * @param budget where its logs are
   */
  NettyOutputGate(OutputGateOptions options, GateHost host, NettyMemoryBudget budget) {
    this.host = host;
    this.channels = new OutgoingChannel[options.consumers()];
    this.live = new AtomicInteger(channels.length);
    Node node = host.node();
    int maxMessage = node.options().maxMessageLength();
    LogSettings settings =
        new LogSettings(
            (node.options().maxFrameLength() - 1024) / 2, maxMessage, ChunkSizes.MAX, true);
    ScratchPermit scratch = new ScratchPermit(settings.maxMessageChunk());
    long linger = Node.nanos(node.options().linger());
    List<LogAccount> accounts = accounts(budget, channels.length);
    for (int consumer = 0; consumer < channels.length; consumer++) {
      LogAccount account = accounts.get(consumer);
      channels[consumer] =
          new OutgoingChannel(
              new ChannelKey(options.exchange(), options.producer(), consumer, options.attempt()),
              attention ->
                  new AppendLog(account, scratch, node.allocator(), settings, 0, 0, attention),
              node.listener(),
              this,
              linger);
    }
  }

  private static List<LogAccount> accounts(NettyMemoryBudget budget, int count) {
    List<LogAccount> accounts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      var account = budget.log().register();
      if (account.isEmpty()) {
        accounts.forEach(LogAccount::close);
        throw new TransportException(
            ErrorCode.RESOURCE_EXHAUSTED,
            "the budget of "
                + budget.bytes()
                + " bytes has floors of "
                + budget.log().floor()
                + " bytes for "
                + budget.log().maxChannels()
                + " outgoing channels, "
                + count
                + " more are wanted: raise budgetChannels and budgetBytes, or give the gate a"
                + " budget of its own");
      }
      accounts.add(account.get());
    }
    return accounts;
  }

  /** Makes the gate known, and dials where it is this side that opens. */
  void register(OutputGateOptions options) {
    int registered = 0;
    try {
      for (; registered < channels.length; registered++) {
        OutgoingChannel channel = channels[registered];
        boolean opens = options.pushTargets().containsKey(registered);
        host.gates().register(Role.SENDER, channel.key(), channel, opens);
      }
    } catch (TransportException e) {
      close();
      throw e;
    }
    options.pushTargets().forEach((consumer, node) -> host.openSend(channels[consumer], node));
  }

  OutgoingChannel[] channels() {
    return channels;
  }

  // --- Writing

  private OutgoingChannel channel(int consumer) {
    if (consumer < 0 || consumer >= channels.length) {
      throw new IndexOutOfBoundsException(
          "consumer " + consumer + ": the gate has consumers 0 to " + (channels.length - 1));
    }
    return channels[consumer];
  }

  private OfferResult result(OutgoingChannel channel, AppendResult admission) {
    return switch (admission) {
      case ADMITTED -> OfferResult.ACCEPTED;
      case BACK_PRESSURED, TIMED_OUT, INTERRUPTED -> OfferResult.BACK_PRESSURED;
      case TOO_LARGE -> OfferResult.MESSAGE_TOO_LARGE;
      case CLOSED -> channel.closedResult();
    };
  }

  /** An open claim of one consumer must not be taken for another's. */
  private void requireNoClaim() {
    if (claimed != null) {
      throw new IllegalStateException(
          "the claim for consumer "
              + claimed.key().consumer()
              + " is open: commit or abort it before anything else is done with the gate");
    }
  }

  private static void requireLength(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length: expected 0 or more, got " + length);
    }
  }

  private OfferResult append(int consumer, int kind, ByteBuffer body) {
    OutgoingChannel channel = channel(consumer);
    if (closing || channel.outcome() != null) {
      return channel.closedResult();
    }
    requireNoClaim();
    return result(channel, channel.log().offer(kind, body));
  }

  @Override
  public OfferResult offer(int consumer, ByteBuffer message) {
    return append(consumer, Record.MESSAGE, message);
  }

  @Override
  public OfferResult offer(int consumer, ByteBuffer message, Duration timeout)
      throws InterruptedException {
    return append(consumer, Record.MESSAGE, message, timeout);
  }

  private OfferResult append(int consumer, int kind, ByteBuffer body, Duration timeout)
      throws InterruptedException {
    OfferResult result = append(consumer, kind, body);
    if (result != OfferResult.BACK_PRESSURED) {
      return result;
    }
    OutgoingChannel channel = channel(consumer);
    AppendResult admission = claim(channel, kind, body.remaining(), timeout);
    if (admission == AppendResult.ADMITTED) {
      channel.log().fill(body);
      return channel.log().commit() ? OfferResult.ACCEPTED : channel.closedResult();
    }
    return result(channel, admission);
  }

  private AppendResult claim(OutgoingChannel channel, int kind, int length, Duration timeout)
      throws InterruptedException {
    host.checkMayBlock();
    AppendResult admission = channel.log().claim(kind, length, Deadlines.after(timeout));
    if (admission == AppendResult.INTERRUPTED) {
      throw interrupted();
    }
    return admission;
  }

  private static InterruptedException interrupted() {
    var unused = Thread.interrupted(); // the exception stands for it
    return new InterruptedException("interrupted while waiting for room");
  }

  @Override
  public OfferResult tryClaim(int consumer, int length, MessageClaim claim) {
    OutgoingChannel channel = channel(consumer);
    requireLength(length);
    if (closing || channel.outcome() != null) {
      return channel.closedResult();
    }
    requireNoClaim();
    return bind(channel, length, channel.log().tryClaim(Record.MESSAGE, length), claim);
  }

  @Override
  public OfferResult claim(int consumer, int length, MessageClaim claim, Duration timeout)
      throws InterruptedException {
    OfferResult result = tryClaim(consumer, length, claim);
    if (result != OfferResult.BACK_PRESSURED) {
      return result;
    }
    OutgoingChannel channel = channel(consumer);
    return bind(channel, length, claim(channel, Record.MESSAGE, length, timeout), claim);
  }

  private OfferResult bind(
      OutgoingChannel channel, int length, AppendResult admission, MessageClaim claim) {
    if (admission == AppendResult.ADMITTED) {
      AppendLog log = channel.log();
      try {
        claim.bind(log.claimedMemory(), log.claimedOffset(), length, this);
      } catch (RuntimeException e) {
        log.abort(); // there is no claim object to do it
        throw e;
      }
      claimed = channel;
    }
    return result(channel, admission);
  }

  @Override
  public void commitClaim() {
    OutgoingChannel channel = claimed;
    claimed = null;
    channel.log().commit();
  }

  @Override
  public void abortClaim() {
    OutgoingChannel channel = claimed;
    claimed = null;
    channel.log().abort();
  }

  @Override
  public OfferResult awaitRoom(int consumer, int length, Duration timeout)
      throws InterruptedException {
    host.checkMayBlock();
    OutgoingChannel channel = channel(consumer);
    requireLength(length);
    if (closing || channel.outcome() != null) {
      return channel.closedResult();
    }
    requireNoClaim();
    AppendResult admission =
        channel.log().awaitRoom(Record.MESSAGE, length, Deadlines.after(timeout));
    if (admission == AppendResult.INTERRUPTED) {
      throw interrupted();
    }
    return result(channel, admission);
  }

  @Override
  public OfferResult offerEvent(int consumer, ByteBuffer event) {
    return event.remaining() > MAX_EVENT_BYTES
        ? OfferResult.MESSAGE_TOO_LARGE
        : append(consumer, Record.EVENT, event);
  }

  @Override
  public OfferResult offerEvent(int consumer, ByteBuffer event, Duration timeout)
      throws InterruptedException {
    return event.remaining() > MAX_EVENT_BYTES
        ? OfferResult.MESSAGE_TOO_LARGE
        : append(consumer, Record.EVENT, event, timeout);
  }

  @Override
  public OfferResult broadcastEvent(ByteBuffer event, Duration timeout)
      throws InterruptedException {
    OfferResult result = broadcastEvent(event);
    long deadline = Deadlines.after(timeout);
    while (result == OfferResult.BACK_PRESSURED) {
      host.checkMayBlock();
      for (OutgoingChannel channel : channels) {
        AppendResult room =
            channel.outcome() != null
                ? AppendResult.CLOSED
                : channel.log().awaitRoom(Record.EVENT, event.remaining(), deadline);
        if (room == AppendResult.INTERRUPTED) {
          throw interrupted();
        }
        if (room == AppendResult.TIMED_OUT) {
          return OfferResult.BACK_PRESSURED;
        }
      }
      result = broadcastEvent(event);
    }
    return result;
  }

  @Override
  public OfferResult broadcastEvent(ByteBuffer event) {
    if (closing) {
      return OfferResult.CLOSED;
    }
    int length = event.remaining();
    if (length > MAX_EVENT_BYTES) {
      return OfferResult.MESSAGE_TOO_LARGE;
    }
    requireNoClaim();
    List<OutgoingChannel> admitted = new ArrayList<>(channels.length);
    OfferResult result = null;
    try {
      result = claimAll(length, admitted);
    } finally {
      if (result != OfferResult.ACCEPTED) {
        admitted.forEach(channel -> channel.log().abort());
      }
    }
    if (result == OfferResult.ACCEPTED) {
      for (OutgoingChannel channel : admitted) {
        channel.log().fill(event);
        channel.log().commit();
      }
    }
    return result;
  }

  /** Claims room for an event in all channels that are live. */
  private OfferResult claimAll(int length, List<OutgoingChannel> admitted) {
    for (OutgoingChannel channel : channels) {
      AppendResult admission =
          channel.outcome() != null
              ? AppendResult.CLOSED
              : channel.log().tryClaim(Record.EVENT, length);
      if (admission == AppendResult.ADMITTED) {
        admitted.add(channel);
      } else if (admission != AppendResult.CLOSED) {
        return result(channel, admission);
      }
    }
    return admitted.isEmpty() ? OfferResult.CLOSED : OfferResult.ACCEPTED;
  }

  @Override
  public void flush() {
    for (OutgoingChannel channel : channels) {
      channel.flush();
    }
  }

  // --- Ending

  @Override
  public CompletableFuture<FinishResult> finish() {
    return finish(Lane.NEVER);
  }

  @Override
  public CompletableFuture<FinishResult> finish(Duration timeout) {
    return finish(Deadlines.after(timeout));
  }

  private CompletableFuture<FinishResult> finish(long deadline) {
    if (!closing) {
      requireNoClaim();
    }
    closing = true;
    boolean waiting = false;
    for (OutgoingChannel channel : channels) {
      channel.finish(deadline);
      waiting |= channel.isWaiting();
    }
    if (waiting) {
      // The rendezvous has a deadline of its own: a consumer that never comes must not be waited
      // for without end.
      long open = System.nanoTime() + Node.nanos(host.node().options().openTimeout());
      host.at(
          deadline == Lane.NEVER || deadline - open > 0 ? open : deadline,
          () -> {
            for (OutgoingChannel channel : channels) {
              if (channel.isWaiting()) {
                channel.openFailed(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "the consumer did not come before the deadline (option openTimeout, or that of"
                        + " finish)");
              }
            }
          });
    }
    return finished.copy(); // what the caller does to it is not for others
  }

  @Override
  public void abort(ErrorCode code, String reason) {
    GateHost.checkAbort(code, reason);
    closing = true;
    for (OutgoingChannel channel : channels) {
      channel.abort(code, reason);
    }
  }

  @Override
  public void ended(OutgoingChannel channel) {
    host.gates().unregister(Role.SENDER, channel.key(), channel);
    if (live.decrementAndGet() == 0) {
      host.forget(this);
      finished.complete(
          new FinishResult(
              Arrays.stream(channels).map(OutgoingChannel::outcome).toList(),
              Arrays.stream(channels).map(OutgoingChannel::failure).toList()));
    }
  }

  @Override
  public Outcome outcome(int consumer) {
    return channel(consumer).outcome();
  }

  @Override
  public TransportException failure(int consumer) {
    return channel(consumer).failure();
  }

  @Override
  public int consumers() {
    return channels.length;
  }

  @Override
  public void close() {
    abort(ErrorCode.CANCELLED, "the producer's gate was closed");
  }
}

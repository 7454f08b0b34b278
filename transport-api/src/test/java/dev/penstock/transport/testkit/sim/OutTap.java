package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;
import java.util.function.Supplier;

/** Sees what a side says, on its way to the super. */
final class OutTap extends ForwardingFrames {
  private final World world;
  private final Wire wire;

  /** The channel of the last DATA frame; none has this number. */
  private int lastChannel = -1;

  OutTap(World world, Wire wire, Frames encoder) {
    super(encoder);
    this.world = world;
    this.wire = wire;
  }

  private void said(int kind, long a, long b, long c, Supplier<String> text) {
    wire.wroteFrame();
    Trace trace = world.trace();
    trace.mix(kind);
    trace.mix(a);
    trace.mix(b);
    trace.mix(c);
    trace.line(world.agenda().now(), () -> wire + " says " + text.get());
  }

  /** The connection breaks around a frame that changes something. */
  private void tempt() {
    if (world.chaos() && world.plan().sharpBreaks && world.chance().oneIn(25)) {
      long delay =
          world.chance().oneIn(2) ? 0 : world.chance().micros(0, 2 * world.plan().latencyHigh);
      world.agenda().after(delay, null, wire.end().connection()::cut);
    }
  }

  private Seen seen(int channel) {
    return wire.lane() == null ? Seen.NOTHING : wire.lane().seen(channel);
  }

  @Override
  public void hello(Hello hello) {
    said(1, hello.lane(), hello.epoch(), hello.sessionIdLow(), hello::toString);
    super.hello(hello);
  }

  @Override
  public void welcome(Welcome welcome) {
    said(2, welcome.sessionIdLow(), welcome.version(), 0, welcome::toString);
    super.welcome(welcome);
  }

  @Override
  public void proof(Octets proof) {
    said(3, proof.hashCode(), 0, 0, () -> "PROOF");
    super.proof(proof);
  }

  @Override
  public void open(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    said(
        4,
        channel,
        position,
        limit,
        () ->
            "OPEN "
                + channel
                + " "
                + role
                + " of "
                + exchange
                + "/"
                + producer
                + "->"
                + consumer
                + "#"
                + attempt
                + " at "
                + position
                + "/"
                + sequence
                + " backlog "
                + backlog
                + " consumed "
                + consumed
                + " limit "
                + limit);
    super.open(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
  }

  @Override
  public void opened(
      int channel,
      Role role,
      long exchange,
      int producer,
      int consumer,
      int attempt,
      long position,
      long sequence,
      long backlog,
      long consumed,
      long limit,
      int floor) {
    tempt();
    said(
        5,
        channel,
        position,
        limit,
        () ->
            "OPENED "
                + channel
                + " "
                + role
                + " at "
                + position
                + "/"
                + sequence
                + " backlog "
                + backlog
                + " consumed "
                + consumed
                + " limit "
                + limit);
    super.opened(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    tempt();
    said(6, liveChannels, draining ? 1 : 0, 0, () -> "READY " + liveChannels + " " + draining);
    super.ready(liveChannels, draining);
  }

  @Override
  public void data(
      int channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int uncompressedLength,
      long backlog,
      int payloadLength,
      int payloadCrc) {
    said(
        7,
        channel,
        position,
        payloadLength,
        () ->
            "DATA "
                + channel
                + " at "
                + position
                + "/"
                + sequence
                + " +"
                + payloadLength
                + " messages "
                + messages
                + " flags "
                + flags
                + " backlog "
                + backlog);
    if (channel != lastChannel) {
      world.covers(Rule.R14_TURNS);
    }
    lastChannel = channel;
    if (wire.lane() != null && !wire.node().isLiar()) {
      wire.lane().fairness().sent(channel, payloadLength);
    }
    Seen before = seen(channel);
    world.covers(before == Seen.SEND_FINISHING ? Row.SEND_FINISHING_DATA : Row.SEND_DATA);
    if ((flags & PIECE) != 0) {
      world.covers(Rule.R3_PIECE);
    }
    super.data(
        channel,
        position,
        sequence,
        messages,
        flags,
        uncompressedLength,
        backlog,
        payloadLength,
        payloadCrc);
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    said(
        8,
        channel,
        position,
        backlog,
        () -> "DEMAND " + channel + " at " + position + " backlog " + backlog);
    world.covers(Row.SEND_DEMAND);
    world.covers(Rule.R4_DEMAND);
    super.demand(channel, position, backlog);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    said(
        9,
        channel,
        received,
        limit,
        () ->
            "CREDIT "
                + channel
                + " received "
                + received
                + " consumed "
                + consumed
                + " limit "
                + limit);
    if (consumed < received) {
      world.covers(Rule.R6_ACKNOWLEDGED_BEFORE_CONSUMED);
    }
    super.credit(channel, received, consumed, limit);
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    tempt();
    said(
        10,
        channel,
        position,
        sequence,
        () -> "FINISH " + channel + " at " + position + "/" + sequence);
    super.finish(channel, position, sequence);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    tempt();
    said(
        11,
        channel,
        position,
        sequence,
        () -> "FINISH_ACK " + channel + " at " + position + "/" + sequence);
    restated();
    world.covers(Row.RECEIVE_FINISH_ACK);
    super.finishAck(channel, position, sequence);
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    tempt();
    said(12, channel, code.number(), 0, () -> "RESET " + channel + " " + code + " " + text);
    restated();
    world.covers(code);
    if (code == ErrorCode.RESOURCE_EXHAUSTED) {
      world.covers(Rule.R14_CAP_REFUSED);
    } else if (code == ErrorCode.UNKNOWN_CHANNEL) {
      world.covers(Row.RECEIVE_WAITING_DEADLINE);
    }
    super.reset(channel, code, text);
  }

  private void restated() {
    if (wire.lane() != null && wire.lane().isRestating()) {
      world.covers(Row.RECEIVE_TERMINAL_RESTATED);
      world.covers(Rule.R10_TERMINAL_KEPT);
    }
  }

  @Override
  public void closed(int channel) {
    tempt();
    said(13, channel, 0, 0, () -> "CLOSED " + channel);
    super.closed(channel);
  }

  @Override
  public void ping(long value) {
    said(14, value, 0, 0, () -> "PING");
    world.covers(Rule.R13_PING);
    super.ping(value);
  }

  @Override
  public void pong(long value) {
    said(15, value, 0, 0, () -> "PONG");
    super.pong(value);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    said(
        16,
        code.number(),
        draining ? 1 : 0,
        0,
        () -> "GOAWAY " + code + " " + text + " " + draining);
    world.covers(code);
    super.goAway(code, text, draining);
  }
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/** What a lying node hears: more credit than it was given, so that it sends too much. */
final class Gullible implements Frames {
  private final Frames core;
  private final long extra;

  Gullible(World world, Frames core) {
    this.core = core;
    this.extra = world.chance().oneIn(3) ? world.chance().between(1, 200_000) : 0;
  }

  private long inflated(long limit) {
    return limit == 0 ? 0 : limit + extra;
  }

  @Override
  public void hello(Hello hello) {
    core.hello(hello);
  }

  @Override
  public void welcome(Welcome welcome) {
    core.welcome(welcome);
  }

  @Override
  public void proof(Octets proof) {
    core.proof(proof);
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
    core.open(
        channel,
        role,
        exchange,
        producer,
        consumer,
        attempt,
        position,
        sequence,
        backlog,
        consumed,
        inflated(limit),
        floor);
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
    core.opened(
        channel,
        role,
        exchange,
        producer,
        consumer,
        attempt,
        position,
        sequence,
        backlog,
        consumed,
        inflated(limit),
        floor);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    core.ready(liveChannels, draining);
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
    core.data(
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
    core.demand(channel, position, backlog);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    core.credit(channel, received, consumed, inflated(limit));
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    core.finish(channel, position, sequence);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    core.finishAck(channel, position, sequence);
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    core.reset(channel, code, text);
  }

  @Override
  public void closed(int channel) {
    core.closed(channel);
  }

  @Override
  public void ping(long value) {
    core.ping(value);
  }

  @Override
  public void pong(long value) {
    core.pong(value);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    core.goAway(code, text, draining);
  }
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/** Passes frames on: what a tap or a filter does not look at. */
abstract class ForwardingFrames implements Frames {
  private final Frames next;

  ForwardingFrames(Frames next) {
    this.next = next;
  }

  @Override
  public void hello(Hello hello) {
    next.hello(hello);
  }

  @Override
  public void welcome(Welcome welcome) {
    next.welcome(welcome);
  }

  @Override
  public void proof(Octets proof) {
    next.proof(proof);
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
    next.open(
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
    next.opened(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    next.ready(liveChannels, draining);
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
    next.data(
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
    next.demand(channel, position, backlog);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    next.credit(channel, received, consumed, limit);
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    next.finish(channel, position, sequence);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    next.finishAck(channel, position, sequence);
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    next.reset(channel, code, text);
  }

  @Override
  public void closed(int channel) {
    next.closed(channel);
  }

  @Override
  public void ping(long value) {
    next.ping(value);
  }

  @Override
  public void pong(long value) {
    next.pong(value);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    next.goAway(code, text, draining);
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/** One end's frames, as calls of the other lane. A DATA frame waits until its payload is known. */
final class LocalFrames implements Frames {
  private final LocalLink link;
  private int channel;
  private long position;
  private long sequence;
  private int messages;
  private int flags;
  private int length;
  private long backlog;

  LocalFrames(LocalLink link) {
    this.link = link;
  }

  /** The payload is there. */
  void deliverData(Frames target) {
    target.data(channel, position, sequence, messages, flags, length, backlog, length, 0);
  }

  @Override
  public void hello(Hello hello) {
    link.target().hello(hello);
  }

  @Override
  public void welcome(Welcome welcome) {
    link.target().welcome(welcome);
  }

  @Override
  public void proof(Octets proof) {
    link.target().proof(proof);
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
    link.target()
        .open(
            channel, role, exchange, producer, consumer, attempt, position, sequence, backlog,
            consumed, limit, floor);
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
    link.target()
        .opened(
            channel, role, exchange, producer, consumer, attempt, position, sequence, backlog,
            consumed, limit, floor);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    link.target().ready(liveChannels, draining);
  }

  @Override
  public void data(
      int number,
      long first,
      long firstSequence,
      int count,
      int dataFlags,
      int uncompressedLength,
      long behind,
      int payloadLength,
      int payloadCrc) {
    channel = number;
    position = first;
    sequence = firstSequence;
    messages = count;
    flags = dataFlags;
    length = payloadLength;
    backlog = behind;
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    link.target().demand(channel, position, backlog);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    link.target().credit(channel, received, consumed, limit);
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    link.target().finish(channel, position, sequence);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    link.target().finishAck(channel, position, sequence);
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    link.target().reset(channel, code, text);
  }

  @Override
  public void closed(int channel) {
    link.target().closed(channel);
  }

  @Override
  public void ping(long value) {
    link.target().ping(value);
  }

  @Override
  public void pong(long value) {
    link.target().pong(value);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    link.target().goAway(code, text, draining);
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/** Takes a connection's frames to its handshake first, and to its lane once there is trust. */
final class FrameRouter implements Frames {
  private Frames target;

  /** Run after each frame of the handshake; null after it. */
  private Runnable afterFrame;

  /** Frames of the handshake. */
  void toHandshake(Frames handshake, Runnable after) {
    target = handshake;
    afterFrame = after;
  }

  /** Frames of a trusted peer. */
  void toLane(Frames lane) {
    target = lane;
    afterFrame = null;
  }

  private void after() {
    if (afterFrame != null) {
      afterFrame.run();
    }
  }

  @Override
  public void hello(Hello hello) {
    target.hello(hello);
    after();
  }

  @Override
  public void welcome(Welcome welcome) {
    target.welcome(welcome);
    after();
  }

  @Override
  public void proof(Octets proof) {
    target.proof(proof);
    after();
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
    target.open(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
    after();
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
    target.opened(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
    after();
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    target.ready(liveChannels, draining);
    after();
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
    target.data(
        channel,
        position,
        sequence,
        messages,
        flags,
        uncompressedLength,
        backlog,
        payloadLength,
        payloadCrc);
    after();
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    target.demand(channel, position, backlog);
    after();
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    target.credit(channel, received, consumed, limit);
    after();
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    target.finish(channel, position, sequence);
    after();
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    target.finishAck(channel, position, sequence);
    after();
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    target.reset(channel, code, text);
    after();
  }

  @Override
  public void closed(int channel) {
    target.closed(channel);
    after();
  }

  @Override
  public void ping(long value) {
    target.ping(value);
    after();
  }

  @Override
  public void pong(long value) {
    target.pong(value);
    after();
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    target.goAway(code, text, draining);
    after();
  }
}

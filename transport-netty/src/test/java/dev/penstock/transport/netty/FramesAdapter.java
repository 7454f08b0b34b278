package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/** Fails on every frame that a test does not expect. */
class FramesAdapter implements Frames {
  @Override
  public void hello(Hello hello) {
    throw new AssertionError("unexpected HELLO");
  }

  @Override
  public void welcome(Welcome welcome) {
    throw new AssertionError("unexpected WELCOME");
  }

  @Override
  public void proof(Octets proof) {
    throw new AssertionError("unexpected PROOF");
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
    throw new AssertionError("unexpected OPEN");
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
    throw new AssertionError("unexpected OPENED");
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    throw new AssertionError("unexpected READY");
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
    throw new AssertionError("unexpected DATA");
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    throw new AssertionError("unexpected DEMAND");
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    throw new AssertionError("unexpected CREDIT");
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    throw new AssertionError("unexpected FINISH");
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    throw new AssertionError("unexpected FINISH_ACK");
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    throw new AssertionError("unexpected RESET");
  }

  @Override
  public void closed(int channel) {
    throw new AssertionError("unexpected CLOSED");
  }

  @Override
  public void ping(long value) {
    throw new AssertionError("unexpected PING");
  }

  @Override
  public void pong(long value) {
    throw new AssertionError("unexpected PONG");
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    throw new AssertionError("unexpected GOAWAY");
  }
}

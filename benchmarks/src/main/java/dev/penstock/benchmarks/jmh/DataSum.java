package dev.penstock.benchmarks.jmh;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/** Sums the fields of DATA frames, so that none of them goes unread. */
final class DataSum implements Frames {
  private long sum;

  long value() {
    return sum;
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
    sum += channel + position + sequence + messages + flags;
    sum += uncompressedLength + backlog + payloadLength + payloadCrc;
  }

  @Override
  public void hello(Hello hello) {
    throw unexpected();
  }

  @Override
  public void welcome(Welcome welcome) {
    throw unexpected();
  }

  @Override
  public void proof(Octets proof) {
    throw unexpected();
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
    throw unexpected();
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
    throw unexpected();
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    throw unexpected();
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    throw unexpected();
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    throw unexpected();
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    throw unexpected();
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    throw unexpected();
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    throw unexpected();
  }

  @Override
  public void closed(int channel) {
    throw unexpected();
  }

  @Override
  public void ping(long value) {
    throw unexpected();
  }

  @Override
  public void pong(long value) {
    throw unexpected();
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    throw unexpected();
  }

  private static IllegalStateException unexpected() {
    return new IllegalStateException("only DATA is measured here");
  }
}

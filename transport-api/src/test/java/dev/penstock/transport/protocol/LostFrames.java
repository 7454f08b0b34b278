package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/** Loses every frame, as a connection does that breaks. */
final class LostFrames implements Frames {
  @Override
  public void hello(Hello hello) {}

  @Override
  public void welcome(Welcome welcome) {}

  @Override
  public void proof(Octets proof) {}

  @Override
  public void open(
      int c,
      Role r,
      long e,
      int p,
      int k,
      int a,
      long po,
      long s,
      long b,
      long co,
      long l,
      int f) {}

  @Override
  public void opened(
      int c,
      Role r,
      long e,
      int p,
      int k,
      int a,
      long po,
      long s,
      long b,
      long co,
      long l,
      int f) {}

  @Override
  public void ready(int liveChannels, boolean draining) {}

  @Override
  public void data(int c, long p, long s, int m, int f, int u, long b, int l, int crc) {}

  @Override
  public void demand(int channel, long position, long backlog) {}

  @Override
  public void credit(int channel, long received, long consumed, long limit) {}

  @Override
  public void finish(int channel, long position, long sequence) {}

  @Override
  public void finishAck(int channel, long position, long sequence) {}

  @Override
  public void reset(int channel, ErrorCode code, String text) {}

  @Override
  public void closed(int channel) {}

  @Override
  public void ping(long value) {}

  @Override
  public void pong(long value) {}

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {}
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;

/** Somebody without the secret who tries all the same, or does not even try. */
final class Intruder implements Frames {
  private final World world;
  private final Frames out;
  private final Octets nonce;
  private final boolean impatient;

  Intruder(World world, Frames out, Octets nonce) {
    this.world = world;
    this.out = out;
    this.nonce = nonce;
    this.impatient = world.chance().oneIn(5);
  }

  void start() {
    Chance chance = world.chance();
    boolean otherTime = chance.oneIn(6);
    out.hello(
        new Hello(
            otherTime ? 7 : 1,
            otherTime ? 9 : 1,
            chance.number() | 1,
            chance.number(),
            0,
            0,
            0,
            1,
            0,
            world.plan().maxFrameLength,
            100,
            1_000,
            nonce,
            "intruder"));
    if (impatient) {
      out.open(0, Role.SENDER, 1, 2, 3, 4, 0, 0, 10, 0, 0, 0);
    }
  }

  @Override
  public void welcome(Welcome welcome) {
    byte[] guess = new byte[world.chance().oneIn(2) ? 0 : WireLimits.PROOF_BYTES];
    world.chance().fill(guess);
    out.proof(Octets.copyOf(guess));
    out.ready(0, false);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {}

  @Override
  public void hello(Hello hello) {}

  @Override
  public void proof(Octets proof) {}

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
      int floor) {}

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
      int floor) {}

  @Override
  public void ready(int liveChannels, boolean draining) {
    throw new SimFailure("an intruder was let in");
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
      int payloadCrc) {}

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
}

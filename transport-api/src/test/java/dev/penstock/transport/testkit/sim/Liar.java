package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;

/**
 * A node that has the secret and breaks the rules: now and then it says something else, or more.
 */
final class Liar implements Frames {
  private final World world;
  private final Wire wire;
  private final Frames out;
  private final int rate;
  private final int manner;
  private int withheld;

  Liar(World world, Wire wire, Frames out) {
    this.world = world;
    this.wire = wire;
    this.out = out;
    this.rate = world.chance().pick(4, 15, 60, 300, 2_000);
    this.manner = world.chance().pick(0, 1, 1, 2, 2, 3, 4, 5, 6, 7);
  }

  private boolean lies() {
    return wire.lane() != null && world.chance().oneIn(rate);
  }

  /** Restates as if it had never heard of a channel. */
  private boolean withholds() {
    boolean withholds = wire.lane() != null && wire.lane().isRestating() && world.chance().oneIn(3);
    withheld += withholds ? 1 : 0;
    return withholds;
  }

  private long off(long value) {
    return lies() ? value + world.chance().pick(-1, 1, 7, -1_000, 1_000_000) : value;
  }

  private int number(int channel) {
    return lies() ? world.chance().pick(channel + 1, channel + 2, 1_000, 1_001, -1, -2) : channel;
  }

  /** More than it was asked for. */
  private void gossip(int channel) {
    if (!lies()) {
      return;
    }
    int number = number(channel);
    switch (world.chance().below(18)) {
      case 0 -> out.closed(number);
      case 1 -> out.reset(number, ErrorCode.INTERNAL, "lie");
      case 2 -> out.finish(number, off(0), off(0));
      case 3 -> out.finishAck(number, off(0), off(0));
      case 4 -> out.demand(number, off(0), off(100));
      case 5 -> out.credit(number, off(0), off(0), off(5_000));
      case 6 -> out.ready(3, false);
      case 7 -> out.goAway(ErrorCode.SHUTTING_DOWN, "lie", world.chance().oneIn(2));
      case 8 -> out.open(number, Role.SENDER, 1, 2, 3, 4, off(0), 0, off(10), 0, 0, 0);
      case 9 ->
          out.opened(number, Role.RECEIVER, 1, 2, 3, 4, off(0), 0, 0, off(0), off(2_000), 1_024);
      case 10 -> flood();
      case 11 -> out.proof(Octets.EMPTY);
      case 12 -> {
        for (int i = 0; i < 50; i++) {
          out.ping(i);
        }
      }
      case 13, 14 -> wire.end().connection().cut();
      default -> out.pong(7);
    }
  }

  /** Opens, or ends, channels without end. */
  private void flood() {
    int first = (1 << 20) + 2 * world.chance().below(1 << 10) + world.chance().below(2);
    boolean opens = world.chance().oneIn(2);
    for (int i = 0; i < 3_000 && !wire.end().isClosed(); i++) {
      if (opens) {
        out.open(first + 2 * i, Role.SENDER, 9, i, 3, 4, 0, 0, 10, 0, 0, 0);
      } else {
        out.reset(first, ErrorCode.CANCELLED, "");
      }
      wire.flushLies();
    }
  }

  @Override
  public void hello(Hello hello) {
    out.hello(hello);
  }

  @Override
  public void welcome(Welcome welcome) {
    out.welcome(welcome);
  }

  @Override
  public void proof(Octets proof) {
    out.proof(proof);
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
    if (withholds()) {
      return;
    }
    out.open(
        number(channel),
        lies() ? role.opposite() : role,
        exchange,
        producer,
        consumer,
        lies() ? attempt + 1 : attempt,
        off(position),
        off(sequence),
        off(backlog),
        off(consumed),
        off(limit),
        lies() ? 0 : floor);
    gossip(channel);
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
    if (withholds()) {
      return;
    }
    out.opened(
        number(channel),
        lies() ? role.opposite() : role,
        exchange,
        producer,
        consumer,
        lies() ? attempt + 1 : attempt,
        off(position),
        off(sequence),
        off(backlog),
        off(consumed),
        off(limit),
        lies() ? 0 : floor);
    gossip(channel);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    if (!lies()) {
      out.ready(lies() ? liveChannels + 1 : liveChannels - withheld, draining);
    }
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
    boolean lies = lies();
    out.data(
        lies && manner == 0 ? channel + 2 : channel,
        lies && manner == 1 ? off(position) + 1 : position,
        lies && manner == 2 ? sequence + 1 : sequence,
        lies && manner == 3 ? messages + 1 : messages,
        lies && manner == 4 ? flags ^ PIECE : flags,
        lies && manner == 5 ? uncompressedLength + 1 : uncompressedLength,
        lies && manner == 6 ? -1 : backlog,
        payloadLength,
        lies && manner == 7 ? payloadCrc + 1 : payloadCrc);
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    out.demand(number(channel), off(position), off(backlog));
    gossip(channel);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    out.credit(number(channel), off(received), off(consumed), off(limit));
    gossip(channel);
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    out.finish(number(channel), off(position), off(sequence));
    gossip(channel);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    out.finishAck(number(channel), off(position), off(sequence));
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    out.reset(number(channel), world.chance().oneIn(4) ? ErrorCode.INTERNAL : code, text);
    gossip(channel);
  }

  @Override
  public void closed(int channel) {
    if (!lies()) {
      out.closed(number(channel));
    }
  }

  @Override
  public void ping(long value) {
    out.ping(value);
    gossip(0);
  }

  @Override
  public void pong(long value) {
    out.pong(off(value));
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    out.goAway(code, text, draining);
  }
}

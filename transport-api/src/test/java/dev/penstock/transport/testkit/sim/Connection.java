package dev.penstock.transport.testkit.sim;

/**
 * A TCP connection: two pipes with delays, stalls and damage, which may break at any byte. The two
 * sides see that at different times, or never.
 */
final class Connection {
  private static final long NOT_CUT = Long.MAX_VALUE;

  private final World world;
  private final Chance chance;
  private final Endpoint dialer;
  private final Endpoint acceptor;
  private final boolean[] moving = new boolean[2];
  private final long[] stalledUntil = new long[2];
  private final long latency;
  private final int chunk;
  private long cutAfterBytes = NOT_CUT;
  private boolean cut;
  private boolean late;

  Connection(World world, SimNode dialerNode, SimNode acceptorNode) {
    this.world = world;
    this.chance = world.plan().chance.split();
    Plan plan = world.plan();
    Pipe there = new Pipe(plan.sendBuffer, plan.receiveBuffer);
    Pipe back = new Pipe(plan.sendBuffer, plan.receiveBuffer);
    dialer = new Endpoint(dialerNode, this, back, there);
    acceptor = new Endpoint(acceptorNode, this, there, back);
    world.connected(this);
    latency = chance.micros(plan.latencyLow, plan.latencyHigh);
    chunk = chance.pick(200, 1_500, 64_000, 64_000);
    if (world.chaos() && plan.breaks && chance.percent(60)) {
      cutAfterBytes = chance.oneIn(3) ? chance.between(0, 1_500) : chance.between(0, 60_000);
    }
    if (world.chaos() && plan.hardBreaks) {
      cutAfterBytes = chance.between(400, 1_200);
    }
  }

  World world() {
    return world;
  }

  Endpoint dialer() {
    return dialer;
  }

  Endpoint acceptor() {
    return acceptor;
  }

  void connect(Endpoint.User dialerUser, Endpoint.User acceptorUser) {
    dialer.use(dialerUser, acceptor);
    acceptor.use(acceptorUser, dialer);
  }

  long readDelay() {
    boolean slow = world.chaos() && world.plan().slowReads && chance.oneIn(30);
    return slow ? chance.millis(0, 4_000) : chance.micros(1, 50);
  }

  int someOf(int length) {
    return length <= 1 || chance.oneIn(3) ? length : chance.between(1, length);
  }

  // --- Moving bytes

  /** Bytes of a side set off if there are any and the other side has room. */
  void move(Endpoint from) {
    int side = from == dialer ? 0 : 1;
    if (moving[side] || from.out().movable() <= 0 || (cut && !late)) {
      return;
    }
    moving[side] = true;
    long at = Math.max(world.agenda().now() + latency, stalledUntil[side]);
    world.agenda().at(at, Agenda.NETWORK, () -> moved(from, side));
  }

  private void moved(Endpoint from, int side) {
    moving[side] = false;
    Plan plan = world.plan();
    long now = world.agenda().now();
    if (cut && !late) {
      return;
    }
    if (world.chaos() && plan.stalls && chance.oneIn(60)) {
      stalledUntil[side] = now + chance.millis(1, 9_000);
      move(from);
      return;
    }
    Pipe pipe = from.out();
    int bytes = Math.min(pipe.movable(), chance.between(1, chance.oneIn(10) ? 8 : chunk));
    if (bytes > 0 && world.chaos() && plan.flips && chance.oneIn(400)) {
      pipe.flip(chance.below(bytes), chance.below(8));
    }
    pipe.move(Math.max(0, bytes));
    from.other().bytesCame();
    if (!from.isClosed()) {
      from.push();
    } else {
      pipe.take();
      endIfDrained(from);
    }
    if (pipe.moved() >= cutAfterBytes && world.chaos()) {
      cut();
    }
    move(from);
  }

  // --- The end

  /** The connection breaks now; who sees it, and when, differs. */
  void cut() {
    if (cut) {
      return;
    }
    cut = true;
    late = world.plan().lateBytes && chance.oneIn(2);
    world.trace().line(world.agenda().now(), () -> "cut" + (late ? ", bytes still under way" : ""));
    boolean oneBlind = world.plan().lostEnds && chance.oneIn(3);
    boolean blindDialer = chance.oneIn(2);
    if (!oneBlind || !blindDialer) {
      notice(dialer);
    }
    if (!oneBlind || blindDialer) {
      notice(acceptor);
    }
  }

  private void notice(Endpoint end) {
    long delay =
        chance.oneIn(3) ? 0 : chance.oneIn(2) ? chance.millis(0, 50) : chance.millis(0, 3_000);
    world.agenda().after(delay, end.node, () -> end.gone("connection reset"));
  }

  /** A side closed by itself. */
  void closedBy(Endpoint end) {
    if (cut) {
      return;
    }
    if (world.chaos() && world.plan().lostEnds && chance.oneIn(10)) {
      // Its last bytes and the end never arrive.
      cut = true;
      return;
    }
    end.out().take();
    move(end);
    endIfDrained(end);
  }

  private void endIfDrained(Endpoint end) {
    if (end.out().isDrained()) {
      world.agenda().after(latency, end.other().node, () -> end.other().endComes("closed by peer"));
    }
  }

  /** The process of a side is gone with all that it had not handed to the network. */
  void died(Endpoint end, boolean silently) {
    cut = true;
    late = false;
    if (!silently) {
      notice(end.other());
    }
  }
}

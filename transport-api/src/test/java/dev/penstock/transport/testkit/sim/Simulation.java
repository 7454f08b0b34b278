package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.ProtocolAccess;
import dev.penstock.transport.protocol.SendFlow;
import dev.penstock.transport.wire.WireCodec;
import java.util.List;

/**
 * Runs one seed: faults for a while, then calm, in which all that can end must end; then the rest
 * is told to end, and nothing may be left.
 */
public final class Simulation {
  private static final long PATIENCE = 900_000 * Chance.MILLIS;
  private static final long REST = 20_000 * Chance.MILLIS;
  private static final long MOST_EVENTS = 3_000_000;

  private final World world;
  private final Invariants invariants;

  private Simulation(World world) {
    this.world = world;
    this.invariants = new Invariants(world);
  }

  /**
   * Runs a seed.
   *
   * @param seed decides everything
   * @param codec how frames are laid out
   * @param recording whether to keep the trace's tail as lines
   * @return what came of it
   */
  public static SimResult run(long seed, WireCodec codec, boolean recording) {
    World world = new World(seed, codec, recording);
    Throwable failure = null;
    try {
      new Simulation(world).run();
    } catch (RuntimeException | AssertionError e) {
      failure = e;
    }
    Trace trace = world.trace();
    return new SimResult(
        seed, trace.hash(), trace.events(), failure, world.coverage(), trace.tail());
  }

  private void run() {
    until(world.plan().chaosUntil, () -> false);
    world.endChaos();
    long patience = world.agenda().now() + PATIENCE;
    until(patience, this::cooperativeAreOver);
    if (!cooperativeAreOver()) {
      throw new SimFailure("still live although everybody cooperates: " + describe(true));
    }
    rest();
    for (SimChannel channel : world.live()) {
      checkWaitChain(channel);
    }
    cleanUp();
    patience = world.agenda().now() + PATIENCE;
    until(patience, () -> world.live().isEmpty());
    if (!world.live().isEmpty()) {
      throw new SimFailure("still live although everybody gave up: " + describe(false));
    }
    close();
    checkNothingIsLeft();
  }

  private interface Condition {
    boolean holds();
  }

  private void until(long time, Condition done) {
    Trace trace = world.trace();
    int sinceCheck = 0;
    while (world.agenda().next(time)) {
      trace.event();
      trace.mix(world.agenda().now());
      invariants.check(world.agenda().lastHost());
      if (++sinceCheck == 16) {
        sinceCheck = 0;
        if (done.holds()) {
          return;
        }
        if (trace.events() > MOST_EVENTS) {
          throw new SimFailure("events without end: " + describe(false));
        }
      }
    }
    world.agenda().advance(time);
  }

  /** Waits until nothing moves any more. */
  private void rest() {
    long before;
    long patience = world.agenda().now() + PATIENCE;
    do {
      before = progress();
      until(world.agenda().now() + REST, () -> false);
    } while (progress() != before && world.agenda().now() < patience);
  }

  private long progress() {
    long sum = 0;
    for (SimChannel channel : world.live()) {
      if (channel.consumer() != null) {
        sum += channel.consumer().intake().received() + channel.consumer().takenSoFar();
      }
      if (channel.producer() != null) {
        sum += channel.producer().log().committed() + channel.producer().log().freed();
      }
    }
    return sum;
  }

  private boolean cooperativeAreOver() {
    for (SimChannel channel : world.live()) {
      if (mustEnd(channel)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a channel must end without being told. */
  private boolean mustEnd(SimChannel channel) {
    return channel.isHonest()
        && !facesLiar(channel)
        && channel.plan.cooperative()
        && !(channel.plan.relayed && world.feederIsMissing(channel.plan));
  }

  private boolean facesLiar(SimChannel channel) {
    return world.facesLiar(channel.plan);
  }

  /** Whoever waits now must wait for an application. */
  private void checkWaitChain(SimChannel channel) {
    if (facesLiar(channel) || !channel.isPaired() || !channel.isHonest()) {
      return;
    }
    SimProducer producer = channel.producer();
    SimConsumer consumer = channel.consumer();
    if (producer.isOver() || consumer.isOver()) {
      return;
    }
    SendFlow send = producer.flow();
    boolean consumerHolds =
        consumer.held() > 0 || consumer.takenSoFar() < consumer.intake().received();
    boolean producerIdles = !producer.finishWanted() && !producer.isHeldBack();
    boolean all = consumer.intake().received() == producer.log().committed();
    if (!consumerHolds && !(producerIdles && all)) {
      throw new SimFailure(
          channel
              + " waits for nobody: sent "
              + send.sent()
              + " of "
              + producer.log().committed()
              + ", limit "
              + send.limit()
              + ", received "
              + consumer.intake().received()
              + ", held "
              + consumer.held());
    }
  }

  private void cleanUp() {
    for (SimChannel channel : List.copyOf(world.live())) {
      SimConsumer consumer = channel.consumer();
      SimProducer producer = channel.producer();
      if (consumer != null && !consumer.isOver()) {
        if (facesLiar(channel)) {
          consumer.cancel(ErrorCode.CANCELLED, "enough of this");
        } else {
          consumer.cleanUp();
        }
      }
      boolean idle = channel.plan.ending == ChannelPlan.Ending.NONE || channel.plan.relayed;
      if (producer != null && !producer.isOver() && (idle || facesLiar(channel))) {
        producer.cancel(ErrorCode.CANCELLED, "enough of this");
      }
    }
  }

  private void close() {
    until(world.agenda().now() + PATIENCE, this::allIsConfirmed);
    if (!allIsConfirmed()) {
      throw new SimFailure("terminals are never confirmed: " + sessions());
    }
    for (SimNode node : world.nodes()) {
      node.drain();
    }
    until(world.agenda().now() + PATIENCE, this::sessionsAreOver);
    if (!sessionsAreOver()) {
      throw new SimFailure("sessions do not drain: " + sessions());
    }
    for (SimNode node : world.nodes()) {
      for (SimSession session : List.copyOf(node.sessions())) {
        session.close(ErrorCode.SHUTTING_DOWN, "the node is closing");
      }
    }
    until(world.agenda().now() + REST, () -> false);
  }

  private boolean allIsConfirmed() {
    for (SimNode node : world.nodes()) {
      for (SimSession session : node.sessions()) {
        for (SimLane lane : session.lanes()) {
          if (!session.facesLiar() && lane.core().channels() > 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean sessionsAreOver() {
    for (SimNode node : world.nodes()) {
      for (SimSession session : node.sessions()) {
        if (world.plan().liar != node.address() && world.plan().liar != session.peer()) {
          return false;
        }
      }
    }
    return true;
  }

  private String sessions() {
    StringBuilder text = new StringBuilder();
    for (SimNode node : world.nodes()) {
      for (SimSession session : node.sessions()) {
        for (SimLane lane : session.lanes()) {
          text.append(lane)
              .append(' ')
              .append(lane.core().state())
              .append(' ')
              .append(lane.core().channels());
          for (int number : ProtocolAccess.numbers(lane.core())) {
            text.append(' ').append(number).append(':').append(lane.seen(number));
          }
          text.append("; ");
        }
      }
    }
    return text.toString();
  }

  private void checkNothingIsLeft() {
    for (SimNode node : world.nodes()) {
      if (node.isLiar()) {
        continue;
      }
      long charged = node.budget().arithmetic().reserved() + node.budget().arithmetic().floated();
      if (charged != 0) {
        throw new SimFailure(node + " has " + charged + " bytes charged at the end");
      }
      if (node.assembly().reserved() != 0) {
        throw new SimFailure(node + " has memory for assembly reserved at the end");
      }
      if (node.places() != 0 || !node.sessions().isEmpty()) {
        throw new SimFailure(
            node + " keeps " + node.places() + " places and " + node.sessions() + " at the end");
      }
      for (SimEnd end : node.ends()) {
        if (end instanceof SimProducer producer
            && end.lane() != null
            && !producer.log().isReleased()) {
          throw new SimFailure(end + " keeps its log");
        }
      }
    }
    if (!world.connections().isEmpty()) {
      throw new SimFailure(world.connections().size() + " connections are left");
    }
  }

  private String describe(boolean onlyCooperative) {
    StringBuilder text = new StringBuilder();
    for (SimChannel channel : world.live()) {
      if (onlyCooperative && !mustEnd(channel)) {
        continue;
      }
      text.append(System.lineSeparator())
          .append(channel)
          .append(' ')
          .append(channel.plan.temper)
          .append(' ')
          .append(channel.plan.ending);
      SimProducer producer = channel.producer();
      if (producer != null) {
        text.append("; producer on ")
            .append(producer.lane())
            .append(' ')
            .append(producer.outcome())
            .append(" committed ")
            .append(producer.log().committed());
        if (producer.flow() != null) {
          SendFlow send = producer.flow();
          text.append(' ')
              .append(send.state())
              .append(" sent ")
              .append(send.sent())
              .append(" limit ")
              .append(send.limit())
              .append(" starved ")
              .append(send.starved());
        }
      }
      SimConsumer consumer = channel.consumer();
      if (consumer != null) {
        text.append("; consumer on ")
            .append(consumer.lane())
            .append(' ')
            .append(consumer.outcome())
            .append(" received ")
            .append(consumer.intake().received())
            .append(" taken ")
            .append(consumer.takenSoFar())
            .append(" given back ")
            .append(consumer.consumedSoFar());
        if (consumer.flow() != null) {
          text.append(' ')
              .append(consumer.flow().state())
              .append(" limit ")
              .append(consumer.flow().limit())
              .append(" announced ")
              .append(consumer.flow().announcedLimit());
        }
      }
    }
    return text + System.lineSeparator() + sessions();
  }
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.protocol.ProtocolAccess;
import dev.penstock.transport.protocol.ReceiveFlow;
import dev.penstock.transport.protocol.SendFlow;

/** What must hold after every event. */
final class Invariants {
  private final World world;

  Invariants(World world) {
    this.world = world;
  }

  /** Checks what an event of a host may have changed; null for anything. */
  void check(Agenda.Host host) {
    if (host == Agenda.NETWORK) {
      return;
    }
    for (SimChannel channel : world.live()) {
      if (channel.concerns(host) && channel.isHonest() && channel.isPaired()) {
        checkPair(channel);
      }
    }
    for (SimChannel channel : world.live()) {
      SimProducer producer = channel.producer();
      if (producer != null && channel.concerns(host) && producer.isForgotten()) {
        throw new SimFailure(producer + " has more to send, and its lane does not know");
      }
    }
    for (SimNode node : world.nodes()) {
      if ((host == null || host == node) && node.isAlive() && !node.isLiar()) {
        checkNode(node);
      }
    }
  }

  private void checkPair(SimChannel channel) {
    SendFlow send = channel.producer().flow();
    ReceiveFlow receive = channel.consumer().flow();
    SimLog log = channel.producer().log();
    ordered(channel, "freed", log.freed(), "acknowledged", send.acknowledged());
    ordered(channel, "acknowledged", send.acknowledged(), "received", receive.received());
    ordered(channel, "consumed", receive.consumed(), "received", receive.received());
    ordered(
        channel, "consumed", receive.consumed(), "given back", channel.consumer().consumedSoFar());
    ordered(channel, "taken", channel.consumer().takenSoFar(), "received", receive.received());
    ordered(channel, "limit", send.limit(), "announced limit", receive.announcedLimit());
    ordered(channel, "sent", send.sent(), "limit", send.limit());
    if (!ProtocolAccess.isTerminal(send) && !ProtocolAccess.isTerminal(receive)) {
      ordered(channel, "received", receive.received(), "sent", send.sent());
      ordered(channel, "announced limit", receive.announcedLimit(), "limit", receive.limit());
      long floor = channel.consumer().share().floor();
      ordered(channel, "consumed + floor", receive.consumed() + floor, "limit", receive.limit());
    }
  }

  private static void ordered(SimChannel channel, String less, long a, String more, long b) {
    if (a > b) {
      throw new SimFailure(channel + ": " + less + " " + a + " is beyond " + more + " " + b);
    }
  }

  private void checkNode(SimNode node) {
    long granted = 0;
    for (SimConsumer consumer : node.charged()) {
      granted += granted(consumer);
    }
    long bytes = node.budget().arithmetic().bytes();
    long charged = node.budget().arithmetic().reserved() + node.budget().arithmetic().floated();
    if (granted > bytes || charged > bytes) {
      throw new SimFailure(
          node + " granted " + granted + " and charged " + charged + " of " + bytes + " bytes");
    }
    if (granted > charged) {
      throw new SimFailure(node + " granted " + granted + ", charged only " + charged);
    }
    if (node.assembly().reserved() > node.assembly().capacity() || node.assembly().reserved() < 0) {
      throw new SimFailure(node + " reserved " + node.assembly().reserved() + " for assembly");
    }
    for (SimSession session : node.sessions()) {
      for (SimLane lane : session.lanes()) {
        if (lane.core().channels() > 10 * world.plan().maxChannels + 5_000) {
          throw new SimFailure(lane + " keeps " + lane.core().channels() + " channels");
        }
      }
    }
  }

  private long granted(SimConsumer consumer) {
    ReceiveFlow flow = consumer.flow();
    if (flow == null) {
      return consumer.isOver() ? 0 : consumer.share().floor();
    }
    if (consumer.isOver() || ProtocolAccess.isTerminal(flow)) {
      return flow.received() - flow.consumed();
    }
    if (flow.floated() > world.plan().floatCap) {
      throw new SimFailure(consumer + " floats " + flow.floated());
    }
    return flow.limit() - flow.consumed();
  }
}

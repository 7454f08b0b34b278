package dev.penstock.transport.testkit.sim;

import java.util.List;

/** What goes wrong, and when. */
final class Faults {
  private final World world;
  private final Chance chance;
  private final Plan plan;

  Faults(World world) {
    this.world = world;
    this.chance = world.chance().split();
    this.plan = world.plan();
  }

  void plan() {
    if (plan.breaks) {
      several(1, 8, this::breakOne);
    }
    if (plan.pauses) {
      several(1, 3, this::pauseOne);
    }
    if (plan.restarts) {
      several(1, 2, this::restartOne);
    }
    if (plan.drains) {
      several(1, 2, () -> anyNode().drain());
    }
    if (plan.fences) {
      several(1, 5, this::fenceOne);
    }
    if (plan.strangers) {
      several(2, 6, this::harassOne);
    }
  }

  private void several(int least, int most, Runnable fault) {
    for (int i = chance.between(least, most); i > 0; i--) {
      world.agenda().at(chance.between(0, plan.chaosUntil), null, fault);
    }
  }

  private SimNode anyNode() {
    return world.node(chance.below(plan.nodes));
  }

  private void breakOne() {
    List<Connection> connections = world.connections();
    if (!connections.isEmpty()) {
      connections.get(chance.below(connections.size())).cut();
    }
  }

  private void pauseOne() {
    SimNode node = anyNode();
    long length = chance.oneIn(2) ? chance.millis(1, 500) : chance.millis(1_000, 12_000);
    node.pause(world.agenda().now() + length);
  }

  private void restartOne() {
    SimNode node = anyNode();
    if (!node.isAlive() || node.isLiar()) {
      return;
    }
    boolean silently = chance.oneIn(2);
    world.trace().line(world.agenda().now(), () -> node + " is killed");
    node.kill(silently);
    int address = node.address();
    world
        .agenda()
        .after(
            chance.millis(0, 3_000),
            null,
            () -> {
              world.restarted(address);
              for (SimChannel channel : List.copyOf(world.channels())) {
                boolean involved =
                    channel.plan.producerNode == address || channel.plan.consumerNode == address;
                if (involved && chance.oneIn(2)) {
                  again(channel);
                }
              }
            });
  }

  private void fenceOne() {
    List<SimChannel> channels = world.channels();
    SimChannel channel = channels.get(chance.below(channels.size()));
    if (chance.oneIn(4) && !channel.plan.relayed) {
      // The old attempt comes back.
      long now = world.agenda().now();
      world.begin(channel.plan, now + chance.millis(0, 10), now + chance.millis(0, 10));
    } else {
      again(channel);
    }
  }

  private void again(SimChannel channel) {
    if (channel.plan.key.attempt() > 4) {
      return;
    }
    long now = world.agenda().now();
    world.begin(
        channel.plan.nextAttempt(), now + chance.millis(0, 1_000), now + chance.millis(0, 1_000));
  }

  private void harassOne() {
    SimNode victim = anyNode();
    SimNode stranger = new SimNode(world, victim.address(), false);
    if (victim.isAlive()) {
      stranger.harass(victim);
    }
  }
}

package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.protocol.CreditBudget;
import dev.penstock.transport.protocol.CreditPool;
import dev.penstock.transport.protocol.CreditShare;

/** A node's receive budget, shared by its gates whatever their lanes. */
final class SimBudget implements CreditPool {
  private final World world;
  private final SimNode node;
  private final CreditBudget budget;

  SimBudget(World world, SimNode node, long bytes, int channels) {
    this.world = world;
    this.node = node;
    this.budget = new CreditBudget(bytes, channels);
  }

  CreditShare register(CreditShare.Listener listener) {
    return budget.register(this, listener, world.plan().floatCap);
  }

  CreditBudget arithmetic() {
    return budget;
  }

  @Override
  public long take(CreditShare share, long want) {
    node.applications().mayOvertake();
    long taken = budget.take(share, want);
    if (taken > 0) {
      world.covers(Rule.R4_FLOAT_TAKEN);
      world.covers(Row.RECEIVE_FLOAT);
    }
    return taken;
  }

  @Override
  public void give(long bytes) {
    node.applications().mayOvertake();
    budget.give(bytes);
    for (CreditShare next = budget.nextToWake(); next != null; next = budget.nextToWake()) {
      CreditShare share = next;
      world.covers(Rule.R4_SHARE_WAITED_FOR_FLOAT);
      world.agenda().after(world.chance().micros(0, 20), node, share::notifyFloatAvailable);
    }
  }

  @Override
  public void unregister(CreditShare share) {
    budget.unregister(share);
  }
}

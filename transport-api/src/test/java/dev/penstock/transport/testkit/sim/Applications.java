package dev.penstock.transport.testkit.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * A node's application threads. What they do next has its time, but wherever the core looks out of
 * its lane's turn (at a log, a sink, a budget, a gate) one of them may be faster.
 */
final class Applications {
  private static final class Step {
    private final Runnable action;
    private boolean done;

    Step(Runnable action) {
      this.action = action;
    }
  }

  private final World world;
  private final SimNode node;
  private final List<Step> next = new ArrayList<>();
  private boolean running;

  Applications(World world, SimNode node) {
    this.world = world;
    this.node = node;
  }

  /** An application thread does something after a while, or earlier. */
  void after(long delay, Runnable action) {
    Step step = new Step(action);
    next.add(step);
    world
        .agenda()
        .after(
            delay,
            node,
            () -> {
              if (!step.done) {
                next.remove(step);
                run(step);
              }
            });
  }

  /** A moment at which an application thread may get ahead of the loop. */
  void mayOvertake() {
    int rate = world.plan().overtaking;
    if (rate > 0 && !running && !next.isEmpty() && world.chance().oneIn(rate)) {
      Step step = next.remove(world.chance().below(next.size()));
      world.covers(Rule.R14_APPLICATION_WITHIN_A_TURN);
      run(step);
    }
  }

  private void run(Step step) {
    step.done = true;
    boolean nested = running;
    running = true;
    step.action.run();
    running = nested;
  }
}

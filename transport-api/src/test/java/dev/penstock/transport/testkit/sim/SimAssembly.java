package dev.penstock.transport.testkit.sim;

import java.util.ArrayDeque;

/**
 * Memory for messages that are to be whole: reserved in order, and before the first piece is taken.
 */
final class SimAssembly {
  private record Request(SimConsumer consumer, int bytes) {}

  private final World world;
  private final int capacity;
  private final ArrayDeque<Request> waiting = new ArrayDeque<>();
  private int reserved;

  SimAssembly(World world, int capacity) {
    this.world = world;
    this.capacity = capacity;
  }

  /** Reserves memory now, or has the consumer wait its turn. */
  boolean reserve(SimConsumer consumer, int bytes) {
    if (waiting.isEmpty() && reserved + bytes <= capacity) {
      reserved += bytes;
      return true;
    }
    world.covers(Rule.R7_ASSEMBLY_WAITED);
    waiting.add(new Request(consumer, bytes));
    return false;
  }

  void release(int bytes) {
    reserved -= bytes;
    grant();
  }

  void forget(SimConsumer consumer) {
    waiting.removeIf(request -> request.consumer() == consumer);
    grant();
  }

  private void grant() {
    while (!waiting.isEmpty() && reserved + waiting.peek().bytes() <= capacity) {
      Request next = waiting.poll();
      reserved += next.bytes();
      next.consumer().assemblyGranted();
    }
  }

  int reserved() {
    return reserved;
  }

  int capacity() {
    return capacity;
  }
}

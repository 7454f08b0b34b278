package dev.penstock.transport.testkit.sim;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One thread over many channels: a channel that came to an event rests until all others have. */
final class Barrier {
  private final Set<SimConsumer> members = new LinkedHashSet<>();
  private final Set<SimConsumer> arrived = new LinkedHashSet<>();

  void join(SimConsumer consumer) {
    members.add(consumer);
  }

  boolean mayTake(SimConsumer consumer) {
    return !arrived.contains(consumer);
  }

  void arrived(SimConsumer consumer) {
    arrived.add(consumer);
    passIfAllAreThere();
  }

  void left(SimConsumer consumer) {
    members.remove(consumer);
    arrived.remove(consumer);
    passIfAllAreThere();
  }

  private void passIfAllAreThere() {
    if (arrived.size() == members.size()) {
      List<SimConsumer> resumed = new ArrayList<>(arrived);
      arrived.clear();
      resumed.forEach(SimConsumer::schedulePoll);
    }
  }
}

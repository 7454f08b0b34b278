package dev.penstock.transport.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a machine does in each of its states on each event, found out by doing it. */
final class StateTable<M extends StateTable.Machine> {
  /** Something that can be asked what it did. */
  interface Machine {
    /** What it did since it was asked last, and where it stands if that changed. */
    String did();
  }

  private record State<M>(String name, Supplier<M> setUp) {}

  private record Event<M>(String name, Consumer<M> happen) {}

  private final List<State<M>> states = new ArrayList<>();
  private final List<Event<M>> events = new ArrayList<>();

  /** Adds a column: how a machine gets there. */
  void state(String name, Supplier<M> setUp) {
    states.add(new State<>(name, setUp));
  }

  /** Adds a row. */
  void event(String name, Consumer<M> happen) {
    events.add(new Event<>(name, happen));
  }

  String markdown() {
    StringBuilder text = new StringBuilder("| event \\ state |");
    states.forEach(state -> text.append(' ').append(state.name).append(" |"));
    text.append("\n| --- |").append(" --- |".repeat(states.size())).append('\n');
    for (Event<M> event : events) {
      text.append("| ").append(event.name).append(" |");
      for (State<M> state : states) {
        M machine = state.setUp.get();
        machine.did();
        event.happen.accept(machine);
        text.append(' ').append(machine.did()).append(" |");
      }
      text.append('\n');
    }
    return text.toString();
  }
}

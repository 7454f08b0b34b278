package dev.penstock.transport.protocol;

/** The flows of a lane that have something to say, first come first served; each is in it once. */
final class DirtyList {
  private Flow first;
  private Flow last;

  boolean isEmpty() {
    return first == null;
  }

  void add(Flow flow) {
    if (!flow.dirty) {
      flow.dirty = true;
      if (last == null) {
        first = flow;
      } else {
        last.nextDirty = flow;
      }
      last = flow;
    }
  }

  /** Writes what is due until the sink is full. */
  void write(FrameSink out) {
    while (first != null && out.hasRoom()) {
      Flow flow = poll();
      if ((flow.due & Flow.DUE_OPEN) != 0) {
        flow.due &= ~Flow.DUE_OPEN;
        flow.writeOpen(out.frames());
      }
      if (flow.due != 0) {
        flow.writeDue(out.frames());
      }
    }
  }

  /** Forgets what was due: the connection that it was due on is gone. */
  void clear() {
    while (first != null) {
      poll().due = 0;
    }
  }

  private Flow poll() {
    Flow flow = first;
    first = flow.nextDirty;
    if (first == null) {
      last = null;
    }
    flow.nextDirty = null;
    flow.dirty = false;
    return flow;
  }
}

package dev.penstock.transport.protocol;

/**
 * Deficit round-robin over the channels that have something to send (Shreedhar and Varghese, 1995):
 * each turn adds a quantum of bytes to a channel's deficit, and it sends while that is positive.
 */
final class ReadyQueue {
  private SendFlow first;
  private SendFlow last;

  boolean isEmpty() {
    return first == null;
  }

  void add(SendFlow flow) {
    if (!flow.ready) {
      flow.ready = true;
      if (last == null) {
        first = flow;
      } else {
        last.nextReady = flow;
      }
      last = flow;
    }
  }

  void clear() {
    while (poll() != null) {}
  }

  /** Sends until the sink is full or nobody has anything; returns the payload bytes sent. */
  long send(FrameSink out, FrameCut cut, int quantum, int maxPayload) {
    long total = 0;
    while (first != null && out.hasRoom()) {
      SendFlow flow = poll();
      flow.deficit += quantum;
      while (flow.deficit > 0 && out.hasRoom()) {
        int sent = flow.sendFrame(out, cut, maxPayload);
        if (sent == 0) {
          flow.deficit = 0;
          break;
        }
        flow.deficit -= sent;
        total += sent;
      }
      if (flow.sendable() || flow.settle()) {
        flow.deficit = Math.min(flow.deficit, 0);
        add(flow);
      } else {
        flow.deficit = 0;
      }
    }
    return total;
  }

  private SendFlow poll() {
    SendFlow flow = first;
    if (flow != null) {
      first = flow.nextReady;
      if (first == null) {
        last = null;
      }
      flow.nextReady = null;
      flow.ready = false;
    }
    return flow;
  }
}

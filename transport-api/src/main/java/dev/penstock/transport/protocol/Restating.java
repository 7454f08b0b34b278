package dev.penstock.transport.protocol;

/**
 * What each side says right after a connection came up: its live channels by ascending number, then
 * the terminals that were not confirmed, then READY. It may take several turns.
 */
final class Restating {
  private Flow[] flows = new Flow[0];
  private int next;
  private boolean terminals;
  private int live;
  private boolean readyWritten;
  private boolean peerReady;
  private int peerLive;

  void begin(Flow[] ascending) {
    flows = ascending;
    next = 0;
    terminals = false;
    live = 0;
    readyWritten = false;
    peerReady = false;
    peerLive = 0;
  }

  void abandon() {
    flows = new Flow[0];
    readyWritten = true;
  }

  boolean hasOutput() {
    return !readyWritten;
  }

  void write(FrameSink out, boolean draining) {
    while (!readyWritten && out.hasRoom()) {
      if (next < flows.length) {
        writeFlow(out, flows[next++]);
      } else if (!terminals) {
        terminals = true;
        next = 0;
      } else {
        out.frames().ready(live, draining);
        readyWritten = true;
        flows = new Flow[0];
      }
    }
  }

  private void writeFlow(FrameSink out, Flow flow) {
    if (!flow.lane.channels().isLive(flow) || (flow instanceof WaitingFlow && !flow.terminal())) {
      return;
    }
    if (!terminals && !flow.terminal()) {
      live++;
      flow.due &= ~Flow.DUE_OPEN;
      flow.writeOpen(out.frames());
    } else if (terminals && flow.terminal()) {
      // The peer's own terminal may have come already: its confirmation waits until both are up.
      int confirmation = flow.due & Flow.DUE_CLOSED;
      flow.due = Flow.DUE_TERMINAL;
      flow.writeDue(out.frames());
      flow.due = confirmation;
    }
  }

  /** The peer restated a channel. */
  void peerRestated() {
    peerLive++;
  }

  /** The peer's READY came; returns false if it counted other channels than came. */
  boolean peerReady(int count) {
    peerReady = true;
    return count == peerLive;
  }

  boolean peerIsReady() {
    return peerReady;
  }

  boolean complete() {
    return readyWritten && peerReady;
  }
}

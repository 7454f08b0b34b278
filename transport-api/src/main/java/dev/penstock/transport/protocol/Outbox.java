package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;

/**
 * What a lane has to say on its present connection, as state: control frames first, then DATA in
 * turns. A peer that does not read cannot make it grow.
 */
final class Outbox {
  private final DirtyList dirtyFlows = new DirtyList();
  private final ReadyQueue readyFlows = new ReadyQueue();
  private final ClosedAnswers closedAnswers = new ClosedAnswers();
  private final FrameCut cut = new FrameCut();

  private boolean goAwayDue;
  private ErrorCode goAwayCode;
  private String goAwayText;
  private boolean pongDue;
  private long pongValue;
  private boolean pingDue;
  private long pingValue;

  void dirty(Flow flow) {
    dirtyFlows.add(flow);
  }

  void ready(SendFlow flow) {
    readyFlows.add(flow);
  }

  /** Returns false when there are so many that the peer must be misbehaving. */
  boolean answerClosed(int number) {
    return closedAnswers.add(number);
  }

  void ping() {
    pingDue = true;
  }

  void pong(long value) {
    pongDue = true;
    pongValue = value;
  }

  void goAway(ErrorCode code, String text) {
    goAwayDue = true;
    goAwayCode = code;
    goAwayText = text;
  }

  /** Whether the last word is still to be said. */
  boolean goAwayDue() {
    return goAwayDue;
  }

  /** The connection is gone, and with it what was due on it; a GOAWAY is for the next one, too. */
  void clear() {
    readyFlows.clear();
    dirtyFlows.clear();
    closedAnswers.clear();
    pongDue = false;
    pingDue = false;
  }

  /** Whether something is due that may be said before both sides have restated. */
  boolean hasControl() {
    return goAwayDue || pongDue || pingDue;
  }

  boolean hasOutput() {
    return hasControl()
        || !closedAnswers.isEmpty()
        || !dirtyFlows.isEmpty()
        || !readyFlows.isEmpty();
  }

  void writeGoAway(FrameSink out, boolean draining) {
    if (goAwayDue && out.hasRoom()) {
      goAwayDue = false;
      out.frames().goAway(goAwayCode, goAwayText, draining);
    }
  }

  void writeHeartbeat(FrameSink out) {
    Frames frames = out.frames();
    if (pongDue && out.hasRoom()) {
      pongDue = false;
      frames.pong(pongValue);
    }
    if (pingDue && out.hasRoom()) {
      pingDue = false;
      frames.ping(++pingValue);
    }
  }

  void writeChannels(FrameSink out, int quantum, int maxPayload) {
    closedAnswers.write(out);
    dirtyFlows.write(out);
    readyFlows.send(out, cut, quantum, maxPayload);
    // What the turn found out (DEMAND, FINISH) goes with it.
    dirtyFlows.write(out);
  }
}

package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;

/**
 * A lane's timers: heartbeat and silence while connected, back-off and the resume window while
 * broken. They are different timers: a quiet peer that answers is alive, and a broken connection is
 * not a lost session.
 */
final class LaneLife {
  private static final long FIRST_BACKOFF = 50_000_000L;
  private static final long MAX_BACKOFF = 2_000_000_000L;

  /** A peer that pings rarely is given this many of its own intervals. */
  private static final int MISSED_HEARTBEATS = 3;

  private final LaneCore lane;
  private final Backoff backoff = new Backoff(FIRST_BACKOFF, MAX_BACKOFF);
  private final ResumePolicy resume;

  private long heard;
  private long wrote;
  private long silence;
  private boolean writePending;
  private long writeProgress;
  private boolean everUp;
  private long restatedBy;
  private boolean dialing;
  private long nextDial;
  private int epoch;
  private ErrorCode lastCode = ErrorCode.PEER_UNREACHABLE;
  private String lastText = "";

  LaneLife(LaneCore lane, long now) {
    this.lane = lane;
    this.resume = new ResumePolicy(lane.config.window());
    this.silence = lane.config.silence();
    // Without a window there is no second connection, but a first one takes time, too.
    resume.awaitFirst(lane.config.window() == 0 ? now + silence : now);
    nextDial = now;
  }

  void connected(long peerHeartbeat, long now) {
    dialing = false;
    heard = now;
    wrote = now;
    writePending = false;
    silence = Math.max(lane.config.silence(), MISSED_HEARTBEATS * peerHeartbeat);
    restatedBy = now + Math.max(lane.config.resumeWindow(), silence);
    resume.resumed();
  }

  /** Restated: returns whether the lane had been up before. */
  boolean up() {
    boolean again = everUp;
    everUp = true;
    return again;
  }

  boolean everUp() {
    return everUp;
  }

  void connectFailed(ErrorCode code, String text, long now) {
    if (dialing) {
      dialing = false;
      lastCode = code;
      lastText = text;
      nextDial = now + backoff.nextDelayNanos(lane.port.jitter());
    }
  }

  void disconnected(long now) {
    resume.broken(now);
    dialing = false;
    nextDial = now + backoff.nextDelayNanos(lane.port.jitter());
    dieIfLost(now);
  }

  void progress() {
    resume.progress();
    backoff.progress();
  }

  void bytesRead(long now) {
    heard = now;
  }

  /** When bytes last came. */
  long heard() {
    return heard;
  }

  void wrote(long now) {
    wrote = now;
  }

  void bytesWritten(long now) {
    writeProgress = now;
  }

  void writePending(boolean pending, long now) {
    if (pending && !writePending) {
      writeProgress = now;
    }
    writePending = pending;
  }

  void timeout(long now) {
    if (lane.state() == Lane.State.BROKEN) {
      if (!dieIfLost(now) && lane.config.dialer() && !dialing && now - nextDial >= 0) {
        dialing = true;
        lane.port.connect(++epoch);
      }
      return;
    }
    if (now - heard >= silence) {
      lane.breakConnection(
          ErrorCode.PEER_SILENT,
          "nothing came for " + millis(now - heard) + " ms (option silenceLimit)",
          now);
    } else if (writePending && now - writeProgress >= silence) {
      lane.breakConnection(
          ErrorCode.PEER_SILENT,
          "the peer took no byte for " + millis(now - writeProgress) + " ms (option silenceLimit)",
          now);
    } else if (lane.state() == Lane.State.RESTATING && now - restatedBy >= 0) {
      lane.breakConnection(
          ErrorCode.PEER_SILENT, "READY did not come in time (option resumeWindow)", now);
    } else if (now - wrote >= lane.config.heartbeat()) {
      wrote = now;
      lane.requestPing();
    }
  }

  private boolean dieIfLost(long now) {
    if (!resume.isLost(now)) {
      return false;
    }
    if (everUp) {
      String why =
          resume.barrenResumes() >= ResumePolicy.MAX_BARREN_RESUMES
              ? resume.barrenResumes() + " connections in a row broke without progress"
              : "no connection for " + millis(lane.config.window()) + " ms (option resumeWindow)";
      lane.die(ErrorCode.SESSION_LOST, why + (lastText.isEmpty() ? "" : "; last: " + lastText));
    } else {
      lane.die(
          lastCode,
          "no connection was ever made" + (lastText.isEmpty() ? "" : "; last: " + lastText));
    }
    return true;
  }

  /** What to add to the failure of a channel that was never opened, if it is the connection's. */
  String unconnected() {
    return lane.state() == Lane.State.BROKEN
        ? "; no connection" + (lastText.isEmpty() ? " came up" : ", last: " + lastText)
        : "";
  }

  long deadline() {
    if (lane.state() == Lane.State.BROKEN) {
      long lost = resume.deadlineNanos();
      return lane.config.dialer() && !dialing ? earlier(nextDial, lost) : lost;
    }
    long silent = heard + silence;
    if (writePending) {
      silent = earlier(silent, writeProgress + silence);
    }
    if (lane.state() == Lane.State.RESTATING) {
      silent = earlier(silent, restatedBy);
    }
    return earlier(silent, wrote + lane.config.heartbeat());
  }

  private static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }
}

package dev.penstock.transport.protocol;

import java.util.Optional;

/** A lookup with at most one session, which counts what it is asked. */
final class OneSession implements SessionLookup {
  KnownSession session;
  int lane;
  long highestEpoch = NO_EPOCH;
  int finds;
  int epochQuestions;

  OneSession(KnownSession session) {
    this.session = session;
  }

  @Override
  public Optional<KnownSession> find(long idHigh, long idLow) {
    finds++;
    return Optional.ofNullable(session)
        .filter(known -> known.idHigh() == idHigh && known.idLow() == idLow);
  }

  @Override
  public long highestEpoch(long idHigh, long idLow, int askedLane) {
    epochQuestions++;
    return askedLane == lane ? highestEpoch : NO_EPOCH;
  }
}

package dev.penstock.transport.protocol;

import java.util.Optional;

/**
 * The sessions that an accepting node keeps, as its handshakes see them. Reading only: an unproven
 * peer must not be able to change anything. Called on the connection's thread, so an implementation
 * that serves several threads takes care of that itself; must not block.
 */
public interface SessionLookup {
  /** What {@link #highestEpoch} answers for a lane that never came up. */
  long NO_EPOCH = -1;

  /** Knows no session. */
  SessionLookup EMPTY =
      new SessionLookup() {
        @Override
        public Optional<KnownSession> find(long idHigh, long idLow) {
          return Optional.empty();
        }

        @Override
        public long highestEpoch(long idHigh, long idLow, int lane) {
          return NO_EPOCH;
        }
      };

  /**
   * Finds a session that may still be resumed.
   *
   * @param idHigh high half of the session id
   * @param idLow low half of the session id
   * @return the session, or empty when it was never there or is gone
   */
  Optional<KnownSession> find(long idHigh, long idLow);

  /**
   * The highest epoch that a lane came up with.
   *
   * @param idHigh high half of the session id
   * @param idLow low half of the session id
   * @param lane the lane's number, u16
   * @return the epoch as an unsigned 32-bit number, or {@link #NO_EPOCH}
   */
  long highestEpoch(long idHigh, long idLow, int lane);
}

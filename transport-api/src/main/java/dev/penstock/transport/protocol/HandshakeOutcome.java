package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;

/** Where a handshake stands. */
public sealed interface HandshakeOutcome {
  /** More frames are needed. */
  enum Pending implements HandshakeOutcome {
    /** The only value. */
    PENDING
  }

  /**
   * Both proofs hold, as far as this side can know: the dialer is here as soon as it has sent its
   * PROOF. The frames that follow belong to the lane.
   *
   * @param trust what was established
   */
  record Trusted(Trust trust) implements HandshakeOutcome {}

  /**
   * The connection is to be closed; what was emitted before (a GOAWAY where the protocol has one)
   * may be flushed first.
   *
   * @param code why
   * @param text what was expected, what came, what to do
   * @param retryable whether the dialer goes on trying: true for a GOAWAY and for everything else
   *     that came without proof, except that a first contact that fails authentication is final,
   *     for only a change of configuration helps and no session is at stake. Without meaning for an
   *     acceptor
   * @param sessionUnknown the peer proved that the session which this side named is gone, or that
   *     it is another node
   */
  record Refused(ErrorCode code, String text, boolean retryable, boolean sessionUnknown)
      implements HandshakeOutcome {}
}

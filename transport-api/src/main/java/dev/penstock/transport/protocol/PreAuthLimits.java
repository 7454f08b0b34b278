package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.WireLimits;

/**
 * What an unproven peer may cost. The machines do not count bytes, time or connections: the shell
 * does, and closes the connection that goes beyond. Immutable and valid.
 *
 * @param maxBytes most bytes that either side may say before trust; {@value
 *     WireLimits#MAX_HANDSHAKE_BYTES} by protocol
 * @param deadlineMillis from the connection's start to trust, in milliseconds
 * @param maxConnections most connections of a node that are accepted and not yet proven
 */
public record PreAuthLimits(int maxBytes, long deadlineMillis, int maxConnections) {
  /** 1 KiB, 5 s, 256 connections. */
  public static final PreAuthLimits DEFAULTS =
      new PreAuthLimits(WireLimits.MAX_HANDSHAKE_BYTES, 5_000, 256);

  /**
   * Checks the fields.
   *
   * @param maxBytes most bytes that either side may say before trust
   * @param deadlineMillis from the connection's start to trust
   * @param maxConnections most connections that are accepted and not yet proven
   * @throws IllegalArgumentException naming the setting that is not positive or above the
   *     protocol's limit
   */
  public PreAuthLimits {
    if (maxBytes < 1 || maxBytes > WireLimits.MAX_HANDSHAKE_BYTES) {
      throw new IllegalArgumentException(
          "maxBytes: expected 1 to " + WireLimits.MAX_HANDSHAKE_BYTES + ", got " + maxBytes);
    }
    if (deadlineMillis < 1) {
      throw new IllegalArgumentException(
          "deadlineMillis: expected at least 1, got " + deadlineMillis);
    }
    if (maxConnections < 1) {
      throw new IllegalArgumentException(
          "maxConnections: expected at least 1, got " + maxConnections);
    }
  }
}

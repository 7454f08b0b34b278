package dev.penstock.transport.protocol;

import dev.penstock.transport.wire.WireLimits;

/**
 * What a node brings to every handshake. Immutable and valid.
 *
 * @param minVersion lowest protocol version spoken, u16, at least 1
 * @param maxVersion highest protocol version spoken, u16
 * @param features feature bits asked for; a feature is agreed when both sides ask for it
 * @param maxFrameLength longest frame taken, header included, {@value #MIN_FRAME_LENGTH} to {@value
 *     #MAX_FRAME_LENGTH} bytes
 * @param maxChannels how many channels the peer may have live on a lane, at least 1
 * @param heartbeatMillis how often this node pings when idle, {@value #MIN_HEARTBEAT_MILLIS} to
 *     {@value #MAX_HEARTBEAT_MILLIS} milliseconds
 * @param secret the shared secret, or {@link SharedSecret#NONE}
 */
public record HandshakeConfig(
    int minVersion,
    int maxVersion,
    long features,
    int maxFrameLength,
    int maxChannels,
    int heartbeatMillis,
    SharedSecret secret) {
  /** The protocol version that this code speaks. */
  public static final int VERSION = 1;

  /** Feature bit: DATA carries no CRC over its payload. */
  public static final long PAYLOAD_CRC_OFF = 1;

  /** Every node takes frames of this length, in bytes. */
  public static final int MIN_FRAME_LENGTH = 4 * 1024;

  /** No node takes longer frames, in bytes. */
  public static final int MAX_FRAME_LENGTH = 16 * 1024 * 1024 + WireLimits.MAX_HEADER_BYTES;

  /** The shortest heartbeat that is obeyed, in milliseconds. */
  public static final int MIN_HEARTBEAT_MILLIS = 100;

  /** The longest heartbeat that is obeyed, in milliseconds. */
  public static final int MAX_HEARTBEAT_MILLIS = 60_000;

  private static final int MAX_U16 = 0xFFFF;

  /**
   * Checks the fields.
   *
   * @param minVersion lowest protocol version spoken
   * @param maxVersion highest protocol version spoken
   * @param features feature bits asked for
   * @param maxFrameLength longest frame taken
   * @param maxChannels how many channels the peer may have live on a lane
   * @param heartbeatMillis how often this node pings when idle
   * @param secret the shared secret
   * @throws IllegalArgumentException naming the setting that is out of its range
   */
  public HandshakeConfig {
    check("minVersion", minVersion, 1, MAX_U16);
    check("maxVersion", maxVersion, minVersion, MAX_U16);
    check("maxFrameLength", maxFrameLength, MIN_FRAME_LENGTH, MAX_FRAME_LENGTH);
    check("maxChannels", maxChannels, 1, Integer.MAX_VALUE);
    check("heartbeatMillis", heartbeatMillis, MIN_HEARTBEAT_MILLIS, MAX_HEARTBEAT_MILLIS);
  }

  /**
   * The defaults: frames of 64 KiB, 10,000 channels, a ping every 2 s, no feature.
   *
   * @param secret the shared secret, or {@link SharedSecret#NONE}
   * @return the configuration
   */
  public static HandshakeConfig defaults(SharedSecret secret) {
    return new HandshakeConfig(VERSION, VERSION, 0, 64 * 1024, 10_000, 2_000, secret);
  }

  /** The longest frame that both sides take; a peer's hostile value is clamped. */
  int agreedFrameLength(int peerMaxFrameLength) {
    return clamp(
        Math.min(Integer.toUnsignedLong(peerMaxFrameLength), maxFrameLength),
        MIN_FRAME_LENGTH,
        MAX_FRAME_LENGTH);
  }

  static int peerHeartbeatMillis(int announced) {
    return clamp(Integer.toUnsignedLong(announced), MIN_HEARTBEAT_MILLIS, MAX_HEARTBEAT_MILLIS);
  }

  static int peerMaxChannels(int announced) {
    return clamp(Integer.toUnsignedLong(announced), 0, Integer.MAX_VALUE);
  }

  private static int clamp(long value, int low, int high) {
    return (int) Math.max(low, Math.min(high, value));
  }

  private static void check(String setting, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          setting + ": expected " + low + " to " + high + ", got " + value);
    }
  }
}

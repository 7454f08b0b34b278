package dev.penstock.transport.wire;

/**
 * The fields of HELLO. Its layout never changes.
 *
 * @param minVersion lowest protocol version that the dialer speaks, u16
 * @param maxVersion highest protocol version that the dialer speaks, u16
 * @param nodeIdHigh high half of the dialer's node id
 * @param nodeIdLow low half of the dialer's node id
 * @param sessionIdHigh high half of the session id; both halves 0 for a new session
 * @param sessionIdLow low half of the session id
 * @param lane the lane's number within the session, u16
 * @param epoch the connection's number within the lane, u32, ascending
 * @param features feature bits that the dialer offers
 * @param maxFrameLength longest frame that the dialer takes, header included, in bytes
 * @param maxChannels how many channels the dialer lets the peer have live on this lane
 * @param heartbeatMillis how often the dialer pings when idle, in milliseconds
 * @param nonce {@value WireLimits#NONCE_BYTES} random bytes
 * @param nodeName the dialer's name, for people
 */
public record Hello(
    int minVersion,
    int maxVersion,
    long nodeIdHigh,
    long nodeIdLow,
    long sessionIdHigh,
    long sessionIdLow,
    int lane,
    int epoch,
    long features,
    int maxFrameLength,
    int maxChannels,
    int heartbeatMillis,
    Octets nonce,
    String nodeName) {}

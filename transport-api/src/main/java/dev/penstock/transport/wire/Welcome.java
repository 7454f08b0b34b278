package dev.penstock.transport.wire;

/**
 * The fields of WELCOME. Its layout never changes.
 *
 * @param version the protocol version that the acceptor chose, u16
 * @param nodeIdHigh high half of the acceptor's node id
 * @param nodeIdLow low half of the acceptor's node id
 * @param sessionIdHigh high half of the session id
 * @param sessionIdLow low half of the session id
 * @param resumed whether the acceptor knows the session that HELLO named (true for a further lane
 *     of it, too)
 * @param features feature bits agreed
 * @param maxFrameLength longest frame agreed for both directions, header included, in bytes
 * @param maxChannels how many channels the acceptor lets the dialer have live on this lane
 * @param heartbeatMillis how often the acceptor pings when idle, in milliseconds
 * @param nonce {@value WireLimits#NONCE_BYTES} random bytes
 * @param proof the acceptor's proof; empty without a scheme
 * @param nodeName the acceptor's name, for people
 */
public record Welcome(
    int version,
    long nodeIdHigh,
    long nodeIdLow,
    long sessionIdHigh,
    long sessionIdLow,
    boolean resumed,
    long features,
    int maxFrameLength,
    int maxChannels,
    int heartbeatMillis,
    Octets nonce,
    Octets proof,
    String nodeName) {}

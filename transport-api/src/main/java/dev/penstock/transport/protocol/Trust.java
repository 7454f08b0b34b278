package dev.penstock.transport.protocol;

/**
 * What a handshake established. Both sides hold the same values, but for what each knows of the
 * other. Immutable; never prints a key.
 *
 * @param session the session: its id and key, the peer and its certificate's hash
 * @param resumed false for a new session; true when the lane resumes, and when it is a further lane
 *     of a known session
 * @param lane the lane's number within the session, u16
 * @param epoch the connection's number within the lane, u32
 * @param version the protocol version agreed
 * @param features the feature bits agreed
 * @param maxFrameLength longest frame, both ways, header included, in bytes
 * @param peerMaxChannels how many channels the peer lets this side have live on the lane
 * @param peerHeartbeatMillis how often the peer pings when idle, in milliseconds
 */
public record Trust(
    KnownSession session,
    boolean resumed,
    int lane,
    int epoch,
    int version,
    long features,
    int maxFrameLength,
    int peerMaxChannels,
    int peerHeartbeatMillis) {}

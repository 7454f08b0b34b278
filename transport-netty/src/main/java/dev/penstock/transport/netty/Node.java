package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.protocol.HandshakeConfig;
import dev.penstock.transport.protocol.LaneConfig;
import dev.penstock.transport.protocol.NodeIdentity;
import dev.penstock.transport.protocol.SharedSecret;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.WireCodec;
import dev.penstock.transport.wire.WireLimits;
import io.netty.buffer.ByteBufAllocator;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;

/**
 * What makes a node, once and for all: who it is, what it speaks, and where its memory comes from.
 * Immutable but for the counters of its parts.
 */
final class Node {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final TransportOptions options;
  private final NodeIdentity identity;
  private final HandshakeConfig handshake;
  private final WireCodec codec;
  private final ByteBufAllocator allocator;
  private final ReceiveMemory receiveMemory;
  private final Tls tls;
  private final TransportListener listener;

  Node(TransportOptions options, ByteBufAllocator allocator) {
    this.options = options;
    this.listener = new GuardedListener(options.listener());
    this.allocator = allocator;
    this.identity = new NodeIdentity(randomId(), randomId(), options.nodeName());
    this.codec = findCodec(options.codec());
    this.receiveMemory = new ReceiveMemory(allocator, options.pinnedBytes());
    this.tls =
        options.tls() == null
            ? null
            : new Tls(options.tls(), options.handshakeTimeout().toMillis());
    SharedSecret secret =
        options.sharedSecret() == null
            ? SharedSecret.NONE
            : SharedSecret.of(options.sharedSecret().toByteArray());
    this.handshake =
        new HandshakeConfig(
            HandshakeConfig.VERSION,
            HandshakeConfig.VERSION,
            options.payloadCrc() ? 0 : HandshakeConfig.PAYLOAD_CRC_OFF,
            options.maxFrameLength(),
            options.maxChannels(),
            (int) options.heartbeat().toMillis(),
            secret);
  }

  private static WireCodec findCodec(String name) {
    List<WireCodec> found =
        ServiceLoader.load(WireCodec.class, WireCodec.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    return found.stream()
        .filter(codec -> codec.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TransportException(
                    ErrorCode.UNSUPPORTED_CODEC,
                    "no wire codec named "
                        + name
                        + " on the class path, only "
                        + found.stream().map(WireCodec::name).toList()
                        + ": add dev.penstock:penstock-codec-sbe or change the option codec"));
  }

  /** Settings for a lane of this node. */
  LaneConfig laneConfig(boolean dialer) {
    return new LaneConfig(
        dialer,
        nanos(options.heartbeat()),
        nanos(options.silenceLimit()),
        nanos(options.resumeWindow()),
        nanos(options.openTimeout()),
        options.maxChannels(),
        options.maxWaitingChannels(),
        options.maxFrameLength(),
        options.maxFrameLength() - WireLimits.MAX_HEADER_BYTES);
  }

  static long nanos(Duration duration) {
    return duration.toNanos();
  }

  static Octets nonce() {
    byte[] bytes = new byte[WireLimits.NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return Octets.copyOf(bytes);
  }

  static long randomId() {
    return RANDOM.nextLong();
  }

  static double jitter() {
    return RANDOM.nextDouble();
  }

  TransportOptions options() {
    return options;
  }

  /** The host's, which may throw: use this one. */
  TransportListener listener() {
    return listener;
  }

  NodeIdentity identity() {
    return identity;
  }

  HandshakeConfig handshake() {
    return handshake;
  }

  WireCodec codec() {
    return codec;
  }

  ByteBufAllocator allocator() {
    return allocator;
  }

  ReceiveMemory receiveMemory() {
    return receiveMemory;
  }

  /** Null without TLS. */
  Tls tls() {
    return tls;
  }
}

package dev.penstock.transport;

import java.time.Duration;

/**
 * The settings of a {@link Transport}: an immutable value, checked when built. Every limit of the
 * protocol is here, with the default that its tests run at.
 */
public final class TransportOptions {
  private final String nodeName;
  private final String codec;
  private final NodeSecret sharedSecret;
  private final TlsOptions tls;
  private final IoKind ioKind;
  private final int eventLoops;
  private final int lanes;
  private final long budgetBytes;
  private final int budgetChannels;
  private final long channelFloat;
  private final long logFloat;
  private final long pinnedBytes;
  private final long assemblyBytes;
  private final int maxFrameLength;
  private final int maxMessageLength;
  private final boolean payloadCrc;
  private final Duration linger;
  private final Duration heartbeat;
  private final Duration silenceLimit;
  private final Duration resumeWindow;
  private final Duration handshakeTimeout;
  private final Duration openTimeout;
  private final Duration drainTimeout;
  private final int maxChannels;
  private final int maxWaitingChannels;
  private final int maxUnprovenConnections;
  private final TransportListener listener;

  private TransportOptions(Builder builder) {
    this.nodeName = builder.nodeName;
    this.codec = builder.codec;
    this.sharedSecret = builder.sharedSecret;
    this.tls = builder.tls;
    this.ioKind = builder.ioKind;
    this.eventLoops = builder.eventLoops;
    this.lanes = builder.lanes;
    this.budgetBytes = builder.budgetBytes;
    this.budgetChannels = builder.budgetChannels;
    this.channelFloat = builder.channelFloat;
    this.logFloat = builder.logFloat;
    this.pinnedBytes = builder.pinnedBytes;
    this.assemblyBytes = builder.assemblyBytes;
    this.maxFrameLength = builder.maxFrameLength;
    this.maxMessageLength = builder.maxMessageLength;
    this.payloadCrc = builder.payloadCrc;
    this.linger = builder.linger;
    this.heartbeat = builder.heartbeat;
    this.silenceLimit = builder.silenceLimit;
    this.resumeWindow = builder.resumeWindow;
    this.handshakeTimeout = builder.handshakeTimeout;
    this.openTimeout = builder.openTimeout;
    this.drainTimeout = builder.drainTimeout;
    this.maxChannels = builder.maxChannels;
    this.maxWaitingChannels = builder.maxWaitingChannels;
    this.maxUnprovenConnections = builder.maxUnprovenConnections;
    this.listener = builder.listener;
  }

  /**
   * Starts from the defaults.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The defaults.
   *
   * @return options
   */
  public static TransportOptions defaults() {
    return builder().build();
  }

  /**
   * A name for people, sent to peers.
   *
   * @return at most 255 bytes of UTF-8; default {@code node}
   */
  public String nodeName() {
    return nodeName;
  }

  /**
   * The wire codec by name. Both peers must use the same.
   *
   * @return default {@code sbe}
   */
  public String codec() {
    return codec;
  }

  /**
   * The secret that both peers must prove. Without one (and without mutual TLS) anyone who reaches
   * the port is trusted.
   *
   * @return the secret, or null (default) for no authentication
   */
  public NodeSecret sharedSecret() {
    return sharedSecret;
  }

  /**
   * TLS for all connections.
   *
   * @return the TLS settings, or null (default) for plain TCP
   */
  public TlsOptions tls() {
    return tls;
  }

  /**
   * How sockets are driven.
   *
   * @return default {@link IoKind#AUTO}: epoll where it is available, else NIO
   */
  public IoKind ioKind() {
    return ioKind;
  }

  /**
   * Event loop threads of the transport's own.
   *
   * @return 1 to 64, or 0, the default: it shares those of the JVM's other transports, one for each
   *     core, at most 4
   */
  public int eventLoops() {
    return eventLoops;
  }

  /**
   * Connections per session that this side dials; channels are spread over them.
   *
   * @return 1 to 64; default: the number of cores, at most 4
   */
  public int lanes() {
    return lanes;
  }

  /**
   * Size of the default budget, for each direction.
   *
   * @return bytes; default 32 MiB
   */
  public long budgetBytes() {
    return budgetBytes;
  }

  /**
   * Channels that the default budget serves at most, for each direction.
   *
   * @return default 10,000
   */
  public int budgetChannels() {
    return budgetChannels;
  }

  /**
   * Most credit that an incoming channel may hold beyond its floor.
   *
   * @return bytes; default 1 MiB
   */
  public long channelFloat() {
    return channelFloat;
  }

  /**
   * Most log memory that an outgoing channel may hold beyond its floor; at least twice the
   * consumer's {@code channelFloat}.
   *
   * @return bytes; default 2 MiB
   */
  public long logFloat() {
    return logFloat;
  }

  /**
   * Receive buffers that frames waiting for the application may keep from being reused, for the
   * whole transport; beyond it frames are copied.
   *
   * @return bytes; default 16 MiB
   */
  public long pinnedBytes() {
    return pinnedBytes;
  }

  /**
   * Memory for putting together messages that came in pieces, for the whole transport; at least
   * {@code maxMessageLength}, for which it suffices even where the allocator takes a little more.
   *
   * @return bytes; default 32 MiB
   */
  public long assemblyBytes() {
    return assemblyBytes;
  }

  /**
   * Longest frame sent or taken, header included; the smaller of both peers' counts.
   *
   * @return 4 KiB to 16 MiB; default 64 KiB
   */
  public int maxFrameLength() {
    return maxFrameLength;
  }

  /**
   * Longest message.
   *
   * @return 1 byte to 512 MiB; default 16 MiB
   */
  public int maxMessageLength() {
    return maxMessageLength;
  }

  /**
   * Whether DATA payloads carry a CRC32C. Left out only if both peers ask for that.
   *
   * @return default true
   */
  public boolean payloadCrc() {
    return payloadCrc;
  }

  /**
   * How long a committed message may wait for more before it is sent.
   *
   * @return default zero: it leaves at once
   */
  public Duration linger() {
    return linger;
  }

  /**
   * A connection on which nothing was sent for so long gets a PING.
   *
   * @return 100 ms to 1 minute; default 2 s
   */
  public Duration heartbeat() {
    return heartbeat;
  }

  /**
   * A connection on which nothing came for so long is given up; its channels resume on a new one.
   *
   * @return longer than {@code heartbeat}; default 6 s
   */
  public Duration silenceLimit() {
    return silenceLimit;
  }

  /**
   * How long channels outlive a broken connection, and how long the first connection to a node is
   * tried for.
   *
   * @return default 60 s; zero fails channels at once, and tries for {@code silenceLimit}
   */
  public Duration resumeWindow() {
    return resumeWindow;
  }

  /**
   * How long a connection may take to be made and trusted.
   *
   * @return default 5 s
   */
  public Duration handshakeTimeout() {
    return handshakeTimeout;
  }

  /**
   * How long a channel waits for its other end to come.
   *
   * @return default 30 s
   */
  public Duration openTimeout() {
    return openTimeout;
  }

  /**
   * How long {@link Transport#close()} lets live channels finish.
   *
   * @return default 5 s
   */
  public Duration drainTimeout() {
    return drainTimeout;
  }

  /**
   * Channels that one peer may have open on one lane.
   *
   * @return default 20,000
   */
  public int maxChannels() {
    return maxChannels;
  }

  /**
   * Channels that peers opened and that wait for their gate, per lane.
   *
   * @return default 20,000
   */
  public int maxWaitingChannels() {
    return maxWaitingChannels;
  }

  /**
   * Accepted connections that have not proven who they are, at one time.
   *
   * @return default 64
   */
  public int maxUnprovenConnections() {
    return maxUnprovenConnections;
  }

  /**
   * Told what happens; called on event loops.
   *
   * @return default: tells nobody
   */
  public TransportListener listener() {
    return listener;
  }

  /** Builds TransportOptions; not thread safe. */
  public static final class Builder {
    private String nodeName = "node";
    private String codec = "sbe";
    private NodeSecret sharedSecret = null;
    private TlsOptions tls = null;
    private IoKind ioKind = IoKind.AUTO;
    private int eventLoops;
    private int lanes = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
    private long budgetBytes = 32L << 20;
    private int budgetChannels = 10_000;
    private long channelFloat = 1L << 20;
    private long logFloat = 2L << 20;
    private long pinnedBytes = 16L << 20;
    private long assemblyBytes = 32L << 20;
    private int maxFrameLength = 64 << 10;
    private int maxMessageLength = 16 << 20;
    private boolean payloadCrc = true;
    private Duration linger = Duration.ZERO;
    private Duration heartbeat = Duration.ofSeconds(2);
    private Duration silenceLimit = Duration.ofSeconds(6);
    private Duration resumeWindow = Duration.ofSeconds(60);
    private Duration handshakeTimeout = Duration.ofSeconds(5);
    private Duration openTimeout = Duration.ofSeconds(30);
    private Duration drainTimeout = Duration.ofSeconds(5);
    private int maxChannels = 20_000;
    private int maxWaitingChannels = 20_000;
    private int maxUnprovenConnections = 64;
    private TransportListener listener = new TransportListener() {};

    private Builder() {}

    /**
     * A name for people, sent to peers.
     *
     * @param value at most 255 bytes of UTF-8; default {@code node}
     * @return this
     */
    public Builder nodeName(String value) {
      nodeName = value;
      return this;
    }

    /**
     * The wire codec by name. Both peers must use the same.
     *
     * @param value default {@code sbe}
     * @return this
     */
    public Builder codec(String value) {
      codec = value;
      return this;
    }

    /**
     * The secret that both peers must prove. Without one (and without mutual TLS) anyone who
     * reaches the port is trusted.
     *
     * @param value the secret, or null (default) for no authentication
     * @return this
     */
    public Builder sharedSecret(NodeSecret value) {
      sharedSecret = value;
      return this;
    }

    /**
     * TLS for all connections.
     *
     * @param value the TLS settings, or null (default) for plain TCP
     * @return this
     */
    public Builder tls(TlsOptions value) {
      tls = value;
      return this;
    }

    /**
     * How sockets are driven.
     *
     * @param value default {@link IoKind#AUTO}: epoll where it is available, else NIO
     * @return this
     */
    public Builder ioKind(IoKind value) {
      ioKind = value;
      return this;
    }

    /**
     * Event loop threads of the transport's own: no other transport's handlers and listeners run on
     * them.
     *
     * @param value 1 to 64, or 0, the default: it shares those of the JVM's other transports, one
     *     for each core, at most 4
     * @return this
     */
    public Builder eventLoops(int value) {
      eventLoops = value;
      return this;
    }

    /**
     * Connections per session that this side dials; channels are spread over them.
     *
     * @param value 1 to 64; default: the number of cores, at most 4
     * @return this
     */
    public Builder lanes(int value) {
      lanes = value;
      return this;
    }

    /**
     * Size of the default budget, for each direction.
     *
     * @param value bytes; default 32 MiB
     * @return this
     */
    public Builder budgetBytes(long value) {
      budgetBytes = value;
      return this;
    }

    /**
     * Channels that the default budget serves at most, for each direction.
     *
     * @param value default 10,000
     * @return this
     */
    public Builder budgetChannels(int value) {
      budgetChannels = value;
      return this;
    }

    /**
     * Most credit that an incoming channel may hold beyond its floor.
     *
     * @param value bytes; default 1 MiB
     * @return this
     */
    public Builder channelFloat(long value) {
      channelFloat = value;
      return this;
    }

    /**
     * Most log memory that an outgoing channel may hold beyond its floor; at least twice the
     * consumer's {@code channelFloat}.
     *
     * @param value bytes; default 2 MiB
     * @return this
     */
    public Builder logFloat(long value) {
      logFloat = value;
      return this;
    }

    /**
     * Receive buffers that frames waiting for the application may keep from being reused, for the
     * whole transport; beyond it frames are copied.
     *
     * @param value bytes; default 16 MiB
     * @return this
     */
    public Builder pinnedBytes(long value) {
      pinnedBytes = value;
      return this;
    }

    /**
     * Memory for putting together messages that came in pieces, for the whole transport; at least
     * {@code maxMessageLength}.
     *
     * @param value bytes; default 32 MiB
     * @return this
     */
    public Builder assemblyBytes(long value) {
      assemblyBytes = value;
      return this;
    }

    /**
     * Longest frame sent or taken, header included; the smaller of both peers' counts.
     *
     * @param value 4 KiB to 16 MiB; default 64 KiB
     * @return this
     */
    public Builder maxFrameLength(int value) {
      maxFrameLength = value;
      return this;
    }

    /**
     * Longest message.
     *
     * @param value 1 byte to 512 MiB; default 16 MiB
     * @return this
     */
    public Builder maxMessageLength(int value) {
      maxMessageLength = value;
      return this;
    }

    /**
     * Whether DATA payloads carry a CRC32C. Left out only if both peers ask for that.
     *
     * @param value default true
     * @return this
     */
    public Builder payloadCrc(boolean value) {
      payloadCrc = value;
      return this;
    }

    /**
     * How long a committed message may wait for more before it is sent.
     *
     * @param value default zero: it leaves at once
     * @return this
     */
    public Builder linger(Duration value) {
      linger = value;
      return this;
    }

    /**
     * A connection on which nothing was sent for so long gets a PING.
     *
     * @param value 100 ms to 1 minute; default 2 s
     * @return this
     */
    public Builder heartbeat(Duration value) {
      heartbeat = value;
      return this;
    }

    /**
     * A connection on which nothing came for so long is given up; its channels resume on a new one.
     *
     * @param value longer than {@code heartbeat}; default 6 s
     * @return this
     */
    public Builder silenceLimit(Duration value) {
      silenceLimit = value;
      return this;
    }

    /**
     * How long channels outlive a broken connection, and how long the first connection to a node is
     * tried for.
     *
     * @param value default 60 s; zero fails channels at once, and tries for {@code silenceLimit}
     * @return this
     */
    public Builder resumeWindow(Duration value) {
      resumeWindow = value;
      return this;
    }

    /**
     * How long a connection may take to be made and trusted.
     *
     * @param value default 5 s
     * @return this
     */
    public Builder handshakeTimeout(Duration value) {
      handshakeTimeout = value;
      return this;
    }

    /**
     * How long a channel waits for its other end to come.
     *
     * @param value default 30 s
     * @return this
     */
    public Builder openTimeout(Duration value) {
      openTimeout = value;
      return this;
    }

    /**
     * How long {@link Transport#close()} lets live channels finish.
     *
     * @param value default 5 s
     * @return this
     */
    public Builder drainTimeout(Duration value) {
      drainTimeout = value;
      return this;
    }

    /**
     * Channels that one peer may have open on one lane.
     *
     * @param value default 20,000
     * @return this
     */
    public Builder maxChannels(int value) {
      maxChannels = value;
      return this;
    }

    /**
     * Channels that peers opened and that wait for their gate, per lane.
     *
     * @param value default 20,000
     * @return this
     */
    public Builder maxWaitingChannels(int value) {
      maxWaitingChannels = value;
      return this;
    }

    /**
     * Accepted connections that have not proven who they are, at one time.
     *
     * @param value default 64
     * @return this
     */
    public Builder maxUnprovenConnections(int value) {
      maxUnprovenConnections = value;
      return this;
    }

    /**
     * Told what happens; called on event loops.
     *
     * @param value default: tells nobody
     * @return this
     */
    public Builder listener(TransportListener value) {
      listener = value;
      return this;
    }

    /**
     * Checks everything and builds.
     *
     * @return the options, immutable
     * @throws IllegalArgumentException if an option is out of range; the message names it
     */
    public TransportOptions build() {
      Check.text("nodeName", nodeName, 255);
      Check.text("codec", codec, 64);
      Check.range("eventLoops", eventLoops, 0, 64);
      Check.range("lanes", lanes, 1, 64);
      Check.range("budgetBytes", budgetBytes, 64 << 10, 1L << 40);
      Check.range("budgetChannels", budgetChannels, 1, 1 << 24);
      Check.range("channelFloat", channelFloat, 0, 1L << 30);
      Check.range("logFloat", logFloat, 0, 1L << 30);
      Check.range("pinnedBytes", pinnedBytes, 0, 1L << 40);
      Check.range("maxFrameLength", maxFrameLength, 4 << 10, 16 << 20);
      Check.range("maxMessageLength", maxMessageLength, 1, 512 << 20);
      Check.range("assemblyBytes", assemblyBytes, maxMessageLength, 1L << 40);
      Check.duration("linger", linger, Duration.ZERO, Duration.ofSeconds(10));
      Check.duration("heartbeat", heartbeat, Duration.ofMillis(100), Duration.ofMinutes(1));
      Check.duration("silenceLimit", silenceLimit, heartbeat.plusMillis(1), Duration.ofHours(1));
      Check.duration("resumeWindow", resumeWindow, Duration.ZERO, Duration.ofDays(1));
      Check.duration(
          "handshakeTimeout", handshakeTimeout, Duration.ofMillis(10), Duration.ofMinutes(10));
      Check.duration("openTimeout", openTimeout, Duration.ofMillis(1), Duration.ofDays(1));
      Check.duration("drainTimeout", drainTimeout, Duration.ZERO, Duration.ofDays(1));
      Check.range("maxChannels", maxChannels, 1, 1 << 24);
      Check.range("maxWaitingChannels", maxWaitingChannels, 0, 1 << 24);
      Check.range("maxUnprovenConnections", maxUnprovenConnections, 1, 1 << 20);
      Check.notNull("ioKind", ioKind);
      Check.notNull("listener", listener);
      return new TransportOptions(this);
    }
  }
}

package dev.penstock.transport.testkit;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.FrameKind;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Frames to try a codec or a machine with: of every kind, at the edges of the fields and at random.
 */
public final class SampleFrames {
  /**
   * A frame that can be sent any number of times.
   *
   * @param kind the frame's number, see {@link FrameKind}
   * @param payloadLength bytes that must follow it; 0 unless it is DATA
   * @param call makes the call
   */
  public record Sample(int kind, int payloadLength, Consumer<Frames> call) {
    /**
     * The call as a value.
     *
     * @return what {@link RecordingFrames} sees of it
     */
    public RecordingFrames.Call recorded() {
      RecordingFrames recording = new RecordingFrames();
      call.accept(recording);
      return recording.only();
    }

    @Override
    public String toString() {
      return recorded().toString();
    }
  }

  /** The highest number of {@link FrameKind}. */
  public static final int LAST_KIND = FrameKind.GOAWAY;

  private static final int MAX_PAYLOAD = 300;
  private static final int[] EDGES = {0, 1, 0x7F, 0x80, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
  private static final long[] LONG_EDGES = {
    0, 1, 0x7F, 0xFFFF_FFFFL, 1L << 32, -1, Long.MAX_VALUE, Long.MIN_VALUE
  };
  private static final String[] TEXT_EDGES = {
    "", "x", "line\nfeed = \u0000 100 %", "größer", "\u20AC\uD83D\uDE00", "\uFFFD"
  };

  private final Random random;

  /**
   * Creates a generator.
   *
   * @param random where values come from
   */
  public SampleFrames(Random random) {
    this.random = random;
  }

  /**
   * A frame of each kind, a given number of times.
   *
   * @param rounds how many of each kind
   * @return the frames
   */
  public List<Sample> ofEveryKind(int rounds) {
    List<Sample> samples = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (int kind = 1; kind <= LAST_KIND; kind++) {
        samples.add(next(kind));
      }
    }
    return samples;
  }

  /**
   * The longest frame of every kind that carries text or octets, and the shortest.
   *
   * @return the frames
   */
  public static List<Sample> extremes() {
    List<Sample> samples = new ArrayList<>();
    for (int fill : new int[] {0, -1}) {
      for (boolean full : new boolean[] {false, true}) {
        addHandshake(samples, fill, full);
        String text = full ? longest(WireLimits.MAX_TEXT_BYTES) : "";
        samples.add(sample(FrameKind.RESET, f -> f.reset(fill, ErrorCode.INTERNAL, text)));
        samples.add(sample(FrameKind.GOAWAY, f -> f.goAway(ErrorCode.INTERNAL, text, full)));
        samples.add(sample(FrameKind.READY, f -> f.ready(fill, full)));
        Role role = full ? Role.RECEIVER : Role.SENDER;
        samples.add(open(role, fill));
        samples.add(opened(role, fill));
        samples.add(data(fill, full ? MAX_PAYLOAD : 0));
      }
      samples.add(sample(FrameKind.DEMAND, f -> f.demand(fill, fill, fill)));
      samples.add(sample(FrameKind.CREDIT, f -> f.credit(fill, fill, fill, fill)));
      samples.add(sample(FrameKind.FINISH, f -> f.finish(fill, fill, fill)));
      samples.add(sample(FrameKind.FINISH_ACK, f -> f.finishAck(fill, fill, fill)));
      samples.add(sample(FrameKind.CLOSED, f -> f.closed(fill)));
      samples.add(sample(FrameKind.PING, f -> f.ping(fill)));
      samples.add(sample(FrameKind.PONG, f -> f.pong(fill)));
    }
    return Collections.unmodifiableList(samples);
  }

  /**
   * A frame of a kind with values at random, half of them at the edges of their fields.
   *
   * @param kind see {@link FrameKind}
   * @return the frame
   */
  public Sample next(int kind) {
    return switch (kind) {
      case FrameKind.HELLO -> hello();
      case FrameKind.WELCOME -> welcome();
      case FrameKind.PROOF -> proof();
      case FrameKind.OPEN -> open();
      case FrameKind.OPENED -> opened();
      case FrameKind.READY -> ready();
      case FrameKind.DATA -> data();
      case FrameKind.DEMAND, FrameKind.CREDIT, FrameKind.FINISH, FrameKind.FINISH_ACK ->
          positions(kind);
      case FrameKind.RESET -> reset();
      case FrameKind.GOAWAY -> goAway();
      case FrameKind.CLOSED, FrameKind.PING, FrameKind.PONG -> small(kind);
      default -> throw new IllegalArgumentException("expected 1 to " + LAST_KIND + ", got " + kind);
    };
  }

  private Sample hello() {
    Hello hello =
        new Hello(
            u16(),
            u16(),
            u64(),
            u64(),
            u64(),
            u64(),
            u16(),
            u32(),
            u64(),
            u32(),
            u32(),
            u32(),
            octets(WireLimits.NONCE_BYTES),
            text(WireLimits.MAX_NAME_BYTES));
    return sample(FrameKind.HELLO, f -> f.hello(hello));
  }

  private Sample welcome() {
    Welcome welcome =
        new Welcome(
            u16(),
            u64(),
            u64(),
            u64(),
            u64(),
            random.nextBoolean(),
            u64(),
            u32(),
            u32(),
            u32(),
            octets(WireLimits.NONCE_BYTES),
            octets(random.nextBoolean() ? 0 : WireLimits.PROOF_BYTES),
            text(WireLimits.MAX_NAME_BYTES));
    return sample(FrameKind.WELCOME, f -> f.welcome(welcome));
  }

  private Sample proof() {
    Octets proof = octets(random.nextBoolean() ? 0 : WireLimits.PROOF_BYTES);
    return sample(FrameKind.PROOF, f -> f.proof(proof));
  }

  private Sample open() {
    int channel = u32();
    Role role = role();
    long exchange = u64();
    int producer = u32();
    int consumer = u32();
    int attempt = u32();
    long position = u64();
    long sequence = u64();
    long backlog = u64();
    long consumed = u64();
    long limit = u64();
    int floor = u32();
    return sample(
        FrameKind.OPEN,
        f ->
            f.open(
                channel, role, exchange, producer, consumer, attempt, position, sequence, backlog,
                consumed, limit, floor));
  }

  private Sample opened() {
    int channel = u32();
    Role role = role();
    long exchange = u64();
    int producer = u32();
    int consumer = u32();
    int attempt = u32();
    long position = u64();
    long sequence = u64();
    long backlog = u64();
    long consumed = u64();
    long limit = u64();
    int floor = u32();
    return sample(
        FrameKind.OPENED,
        f ->
            f.opened(
                channel, role, exchange, producer, consumer, attempt, position, sequence, backlog,
                consumed, limit, floor));
  }

  private Sample ready() {
    int channels = u32();
    boolean draining = random.nextBoolean();
    return sample(FrameKind.READY, f -> f.ready(channels, draining));
  }

  private Sample data() {
    int channel = u32();
    long position = u64();
    long sequence = u64();
    int messages = u32();
    int flags = random.nextInt(8);
    int uncompressed = u32();
    long backlog = u64();
    int length = random.nextInt(MAX_PAYLOAD);
    int crc = u32();
    return new Sample(
        FrameKind.DATA,
        length,
        f ->
            f.data(
                channel, position, sequence, messages, flags, uncompressed, backlog, length, crc));
  }

  private Sample positions(int kind) {
    int channel = u32();
    long first = u64();
    long second = u64();
    long third = u64();
    return switch (kind) {
      case FrameKind.DEMAND -> sample(kind, f -> f.demand(channel, first, second));
      case FrameKind.CREDIT -> sample(kind, f -> f.credit(channel, first, second, third));
      case FrameKind.FINISH -> sample(kind, f -> f.finish(channel, first, second));
      default -> sample(kind, f -> f.finishAck(channel, first, second));
    };
  }

  private Sample reset() {
    int channel = u32();
    ErrorCode code = code();
    String text = text(WireLimits.MAX_TEXT_BYTES);
    return sample(FrameKind.RESET, f -> f.reset(channel, code, text));
  }

  private Sample goAway() {
    ErrorCode code = code();
    String text = text(WireLimits.MAX_TEXT_BYTES);
    boolean draining = random.nextBoolean();
    return sample(FrameKind.GOAWAY, f -> f.goAway(code, text, draining));
  }

  private Sample small(int kind) {
    int channel = u32();
    long value = u64();
    return switch (kind) {
      case FrameKind.CLOSED -> sample(kind, f -> f.closed(channel));
      case FrameKind.PING -> sample(kind, f -> f.ping(value));
      default -> sample(kind, f -> f.pong(value));
    };
  }

  private static void addHandshake(List<Sample> samples, int fill, boolean full) {
    Octets nonce = filled(WireLimits.NONCE_BYTES, fill);
    Octets proof = full ? filled(WireLimits.PROOF_BYTES, fill) : Octets.EMPTY;
    String name = full ? longest(WireLimits.MAX_NAME_BYTES) : "";
    int u16 = fill & 0xFFFF;
    Hello hello =
        new Hello(u16, u16, fill, fill, fill, fill, u16, fill, fill, fill, fill, fill, nonce, name);
    Welcome welcome =
        new Welcome(u16, fill, fill, fill, fill, full, fill, fill, fill, fill, nonce, proof, name);
    samples.add(sample(FrameKind.HELLO, f -> f.hello(hello)));
    samples.add(sample(FrameKind.WELCOME, f -> f.welcome(welcome)));
    samples.add(sample(FrameKind.PROOF, f -> f.proof(proof)));
  }

  private static Sample open(Role role, int fill) {
    return sample(
        FrameKind.OPEN,
        f -> f.open(fill, role, fill, fill, fill, fill, fill, fill, fill, fill, fill, fill));
  }

  private static Sample opened(Role role, int fill) {
    return sample(
        FrameKind.OPENED,
        f -> f.opened(fill, role, fill, fill, fill, fill, fill, fill, fill, fill, fill, fill));
  }

  private static Sample data(int fill, int length) {
    return new Sample(
        FrameKind.DATA,
        length,
        f -> f.data(fill, fill, fill, fill, fill & 7, fill, fill, length, fill));
  }

  private static Sample sample(int kind, Consumer<Frames> call) {
    return new Sample(kind, 0, call);
  }

  private static String longest(int bytes) {
    return "\u00DF".repeat(bytes / 2) + "x".repeat(bytes % 2);
  }

  private static Octets filled(int length, int fill) {
    byte[] bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) fill);
    return Octets.copyOf(bytes);
  }

  private int u16() {
    return u32() & 0xFFFF;
  }

  private int u32() {
    return random.nextBoolean() ? random.nextInt() : EDGES[random.nextInt(EDGES.length)];
  }

  private long u64() {
    return random.nextBoolean() ? random.nextLong() : LONG_EDGES[random.nextInt(LONG_EDGES.length)];
  }

  private Role role() {
    return random.nextBoolean() ? Role.SENDER : Role.RECEIVER;
  }

  private ErrorCode code() {
    return ErrorCode.ofNumber(1 + random.nextInt(ErrorCode.values().length));
  }

  private Octets octets(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Octets.copyOf(bytes);
  }

  private String text(int maxBytes) {
    if (random.nextBoolean()) {
      return TEXT_EDGES[random.nextInt(TEXT_EDGES.length)];
    }
    StringBuilder text = new StringBuilder();
    int wanted = random.nextInt(maxBytes + 1);
    int bytes = 0;
    while (bytes < wanted) {
      int point = random.nextInt(Character.MAX_CODE_POINT + 1);
      String next = new String(Character.toChars(Character.isDefined(point) ? point : 'x'));
      int length = next.getBytes(StandardCharsets.UTF_8).length;
      boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      if (surrogate || bytes + length > maxBytes) {
        break;
      }
      text.append(next);
      bytes += length;
    }
    return text.toString();
  }
}

package dev.penstock.transport.testkit;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.testkit.SampleFrames.Sample;
import dev.penstock.transport.wire.FrameKind;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Welcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** The frames that golden vectors are written for; the vectors themselves are files. */
public final class GoldenFrames {
  /** Payload of the DATA frames: one record with this text. */
  public static final String PAYLOAD = "\b\0\0\0penstock";

  private static final int PAYLOAD_CRC = 0x1D6D_3BFB;

  private GoldenFrames() {}

  /**
   * At least one frame of every kind.
   *
   * @return the frames
   */
  public static List<Sample> all() {
    return List.of(
        sample(FrameKind.HELLO, f -> f.hello(hello(0, "dialer"))),
        sample(FrameKind.HELLO, f -> f.hello(hello(0x0123_4567_89AB_CDEFL, "größer"))),
        sample(FrameKind.WELCOME, f -> f.welcome(welcome(false, Octets.EMPTY))),
        sample(FrameKind.WELCOME, f -> f.welcome(welcome(true, octets(0xA0)))),
        sample(FrameKind.PROOF, f -> f.proof(Octets.EMPTY)),
        sample(FrameKind.PROOF, f -> f.proof(octets(0xB0))),
        sample(
            FrameKind.OPEN,
            f -> f.open(2, Role.RECEIVER, 0x1122_3344_5566_7788L, 3, 4, 1, 0, 0, 0, 0, 1638, 1638)),
        sample(
            FrameKind.OPENED,
            f -> f.opened(2, Role.SENDER, 0x1122_3344_5566_7788L, 3, 4, 1, 0, 0, 12, 0, 0, 0)),
        sample(FrameKind.READY, f -> f.ready(10_000, false)),
        sample(FrameKind.READY, f -> f.ready(0, true)),
        data(0),
        data(Frames.PIECE | Frames.LAST_PIECE),
        new Sample(FrameKind.DATA, 0, f -> f.data(-1, -1, -1, 0, 0, 0, 0, 0, 0)),
        sample(FrameKind.DEMAND, f -> f.demand(2, 1638, 70_000)),
        sample(FrameKind.CREDIT, f -> f.credit(2, 0x1_0000_0001L, 0x1_0000_0000L, 0x1_0010_0000L)),
        sample(FrameKind.FINISH, f -> f.finish(2, 0x7FFF_FFFF_FFFFL, 1_000_000)),
        sample(FrameKind.FINISH_ACK, f -> f.finishAck(2, 0x7FFF_FFFF_FFFFL, 1_000_000)),
        sample(
            FrameKind.RESET,
            f -> f.reset(0xFFFF_FFFE, ErrorCode.SEQUENCE_GAP, "expected 5, got 7")),
        sample(FrameKind.RESET, f -> f.reset(2, ErrorCode.STOPPED, "")),
        sample(FrameKind.CLOSED, f -> f.closed(2)),
        sample(FrameKind.PING, f -> f.ping(0x0102_0304_0506_0708L)),
        sample(FrameKind.PONG, f -> f.pong(0x0102_0304_0506_0708L)),
        sample(FrameKind.GOAWAY, f -> f.goAway(ErrorCode.SHUTTING_DOWN, "bye", true)),
        sample(FrameKind.GOAWAY, f -> f.goAway(ErrorCode.AUTHENTICATION_FAILED, "", false)));
  }

  private static Sample data(int flags) {
    int length = PAYLOAD.getBytes(StandardCharsets.UTF_8).length;
    return new Sample(
        FrameKind.DATA,
        length,
        f -> f.data(2, 0x1_0000_0000L, 77, 1, flags, length, 4096, length, PAYLOAD_CRC));
  }

  private static Hello hello(long session, String name) {
    return new Hello(
        1,
        3,
        0x0011_2233_4455_6677L,
        0x8899_AABB_CCDD_EEFFL,
        session,
        session >>> 8,
        1,
        7,
        1,
        65_536,
        10_000,
        2_000,
        octets(0x10),
        name);
  }

  private static Welcome welcome(boolean resumed, Octets proof) {
    return new Welcome(
        1,
        0xFFEE_DDCC_BBAA_9988L,
        0x7766_5544_3322_1100L,
        5,
        6,
        resumed,
        0,
        32_768,
        5_000,
        1_000,
        octets(0x40),
        proof,
        "acceptor");
  }

  private static Sample sample(int kind, Consumer<Frames> call) {
    return new Sample(kind, 0, call);
  }

  private static Octets octets(int first) {
    byte[] bytes = new byte[32];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (first + i);
    }
    return Octets.copyOf(bytes);
  }
}

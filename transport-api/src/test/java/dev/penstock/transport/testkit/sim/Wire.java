package dev.penstock.transport.testkit.sim;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.protocol.AcceptorHandshake;
import dev.penstock.transport.protocol.DialerHandshake;
import dev.penstock.transport.protocol.FrameSink;
import dev.penstock.transport.protocol.HandshakeOutcome;
import dev.penstock.transport.protocol.RecordSource;
import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * What a node does with one connection: cuts frames out of bytes, shakes hands, then carries a
 * lane.
 */
final class Wire implements Endpoint.User, FrameSink {
  private static final int TURN_BYTES = 512 * 1024;

  private final World world;
  private final SimNode node;
  private final Endpoint end;
  private final boolean dialer;

  private final FrameEncoder encoder;
  private final FrameDecoder decoder;
  private final ByteBuffer outgoing =
      ByteBuffer.allocate(64 * 1024 + 2 * WireLimits.MAX_HEADER_BYTES);
  private final Frames frames;
  private byte[] incoming = new byte[4096];
  private ByteBuffer incomingView = ByteBuffer.wrap(incoming);
  private int start;
  private int limit;
  private int frameEnd;
  private long bytesIn;
  private int framesLeft;

  private Frames target;
  private Supplier<HandshakeOutcome> outcome;
  private SimLane lane;
  private SimLane dialedFor;

  Wire(World world, SimNode node, Endpoint end, boolean dialer) {
    this.world = world;
    this.node = node;
    this.end = end;
    this.dialer = dialer;
    this.encoder = world.codec().newEncoder();
    this.decoder = world.codec().newDecoder();
    encoder.bind(outgoing);
    Frames tapped = new OutTap(world, this, encoder);
    this.frames = node.isLiar() ? new Liar(world, this, tapped) : tapped;
    world
        .agenda()
        .after(
            world.handshakeDeadline(),
            node,
            () -> {
              if (lane == null && !end.isClosed()) {
                world.covers(dialer ? Row.LANE_DIAL_FAILED : Row.LANE_PROOF_BAD);
                fail(ErrorCode.DEADLINE_EXCEEDED, "handshake deadline", false);
              }
            });
  }

  SimNode node() {
    return node;
  }

  SimLane lane() {
    return lane;
  }

  Endpoint end() {
    return end;
  }

  // --- Handshake

  void dial(SimLane forLane, DialerHandshake handshake) {
    dialedFor = forLane;
    target = handshake;
    outcome = handshake::outcome;
    handshake.start(frames);
    flush();
    decided();
  }

  void accept(AcceptorHandshake handshake) {
    target = handshake;
    outcome = handshake::outcome;
    handshake.start(frames);
  }

  /** Tries without the secret. */
  void intrude(Octets nonce) {
    Intruder intruder = new Intruder(world, frames, nonce);
    target = intruder;
    outcome = () -> HandshakeOutcome.Pending.PENDING;
    intruder.start();
    flush();
  }

  /** Says something wild instead of shaking hands. */
  void babble(byte[] bytes) {
    end.write(bytes, bytes.length);
  }

  /** Trusts: from now on frames are the lane's. */
  void carry(SimLane forLane) {
    lane = forLane;
    target = new InTap(world, this, lane);
    if (node.isLiar()) {
      target = new Gullible(world, target);
    }
  }

  private void decided() {
    HandshakeOutcome now = outcome.get();
    if (now instanceof HandshakeOutcome.Trusted trusted) {
      node.trusted(this, dialedFor, trusted.trust());
    } else if (now instanceof HandshakeOutcome.Refused refused) {
      world.covers(refused.code());
      flush();
      if (!dialer) {
        world.covers(Rule.R1_UNPROVEN_REFUSED);
        world.covers(
            refused.code() == ErrorCode.FENCED || refused.code() == ErrorCode.SESSION_LOST
                ? Row.LANE_PROOF_STALE
                : Row.LANE_PROOF_BAD);
      }
      end.close();
      if (dialedFor != null) {
        node.refused(dialedFor, this, refused);
      }
    }
  }

  private void fail(ErrorCode code, String text, boolean hopeless) {
    end.close();
    if (dialedFor != null && lane == null) {
      node.dialFailed(dialedFor, this, code, text, hopeless);
    }
  }

  // --- Reading

  @Override
  public void onReadable() {
    if (limit + end.readable() > incoming.length) {
      compact(end.readable());
    }
    int bytes = end.read(incoming, limit, incoming.length - limit);
    limit += bytes;
    bytesIn += bytes;
    world.trace().mix(bytes);
    if (lane == null && bytesIn > WireLimits.MAX_HANDSHAKE_BYTES) {
      // A dialer's first frames may follow its proof at once.
      if (!decodeAll() || lane == null) {
        world.covers(dialer ? Row.LANE_DIAL_FAILED : Row.LANE_PROOF_BAD);
        fail(ErrorCode.PROTOCOL_VIOLATION, "more than 1 KiB before trust", false);
        return;
      }
    } else {
      if (lane != null) {
        lane.core().bytesRead(world.agenda().now());
      }
      decodeAll();
    }
    if (lane != null && !end.isClosed()) {
      lane.turn();
    } else {
      flush();
    }
  }

  private void compact(int more) {
    int kept = limit - start;
    byte[] into =
        kept + more > incoming.length
            ? new byte[Math.max(2 * incoming.length, kept + more)]
            : incoming;
    System.arraycopy(incoming, start, into, 0, kept);
    if (into != incoming) {
      incoming = into;
      incomingView = ByteBuffer.wrap(into);
    }
    start = 0;
    limit = kept;
  }

  /** Decodes what is complete; false when the connection is over. */
  private boolean decodeAll() {
    while (!end.isClosed() && limit - start >= Sofh.LENGTH) {
      long length = Sofh.frameLength(incomingView, start);
      int type = Sofh.encodingType(incomingView, start);
      if (type != world.codec().encodingType()) {
        return broken(ErrorCode.UNSUPPORTED_CODEC, "encoding type " + type);
      }
      if (length > world.plan().maxFrameLength || length < Sofh.LENGTH) {
        return broken(ErrorCode.FRAME_TOO_LARGE, "a frame of " + length + " bytes");
      }
      if (limit - start < length) {
        return true;
      }
      frameEnd = start + (int) length;
      try {
        decoder.decode(incomingView, start, (int) length, target);
      } catch (MalformedFrameException e) {
        return broken(ErrorCode.INTERNAL, e.getMessage());
      }
      start = frameEnd;
      if (lane == null && !end.isClosed()) {
        decided();
      }
    }
    return !end.isClosed();
  }

  private boolean broken(ErrorCode code, String text) {
    if (code != ErrorCode.INTERNAL) {
      world.covers(code);
    }
    world.covers(Rule.R9_BAD_FRAME);
    world.trace().line(world.agenda().now(), () -> this + " broken: " + text);
    if (lane != null) {
      world.covers(Row.LANE_BAD_CRC);
      SimLane carried = lane;
      end.close();
      carried.lost(this);
    } else {
      world.covers(dialer ? Row.LANE_DIAL_FAILED : Row.LANE_PROOF_BAD);
      fail(code, text, false);
    }
    return false;
  }

  /** The payload of the DATA frame that is being handled: its last bytes. */
  byte[] payload(int length) {
    return Arrays.copyOfRange(incoming, frameEnd - length, frameEnd);
  }

  // --- Writing

  @Override
  public Frames frames() {
    return frames;
  }

  @Override
  public boolean hasRoom() {
    node.applications().mayOvertake();
    return framesLeft > 0
        && !end.isClosed()
        && end.pending() + outgoing.position() <= world.plan().highWater
        && outgoing.remaining() >= world.plan().maxFrameLength + WireLimits.MAX_HEADER_BYTES
        && end.pending() < TURN_BYTES;
  }

  @Override
  public void payload(RecordSource source, long position, int length) {
    ((SimLog) source).copy(position, length, outgoing);
    node.applications().mayOvertake();
  }

  void wroteFrame() {
    framesLeft--;
  }

  /** A turn of the lane: it may write a few frames. */
  void write() {
    framesLeft = world.plan().turnFrames;
    if (lane.core().hasOutput() && hasRoom()) {
      lane.core().write(this, world.agenda().now());
    }
    flush();
  }

  boolean canWriteMore() {
    return !end.isClosed() && end.pending() <= world.plan().highWater;
  }

  /** A liar writes as much as it likes. */
  void flushLies() {
    if (outgoing.remaining() < 8 * WireLimits.MAX_HEADER_BYTES) {
      flush();
    }
  }

  private void flush() {
    if (outgoing.position() > 0) {
      end.write(outgoing.array(), outgoing.position());
      outgoing.clear();
    }
  }

  @Override
  public void onWritten() {
    if (lane != null) {
      lane.written();
    }
  }

  long pending() {
    return end.pending();
  }

  /** Closes without telling the lane. */
  void abandon() {
    end.close();
  }

  @Override
  public void onGone(String why) {
    world.trace().line(world.agenda().now(), () -> this + " gone: " + why);
    if (lane != null) {
      world.covers(Row.LANE_CLOSED);
      lane.lost(this);
    } else if (dialedFor != null) {
      world.covers(Row.LANE_DIAL_FAILED);
      node.dialFailed(dialedFor, this, ErrorCode.PEER_UNREACHABLE, why, false);
    }
  }

  @Override
  public String toString() {
    return node + (dialer ? " dialed " : " accepted ") + (lane == null ? "?" : lane);
  }
}

package dev.penstock.transport.testkit;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads lines. */
final class PlainTextDecoder implements FrameDecoder {
  private final CanonicalFields canonical = new CanonicalFields();
  private final PlainTextReader in = new PlainTextReader();
  private int crc;

  @Override
  public void decode(ByteBuffer source, int index, int length, Frames frames)
      throws MalformedFrameException {
    Objects.checkFromIndexSize(index, length, source.limit());
    if (length < Sofh.LENGTH) {
      throw new MalformedFrameException(
          "frame length: expected at least " + Sofh.LENGTH + ", got " + length);
    }
    long stated = Sofh.frameLength(source, index);
    if (stated != length) {
      throw new MalformedFrameException(
          "frame length in the SOFH: expected " + length + ", got " + stated);
    }
    int type = Sofh.encodingType(source, index);
    if (type != PlainTextCodec.ENCODING_TYPE) {
      throw new MalformedFrameException(
          "encoding type: expected " + PlainTextCodec.ENCODING_TYPE + ", got " + type);
    }
    in.start(source, index + Sofh.LENGTH, index + length);
    String name = in.word();
    crc = in.hexInt("crc");
    if (!handshake(name, frames) && !channel(name, frames) && !lane(name, frames)) {
      throw new MalformedFrameException("frame: expected a known name, got " + name);
    }
  }

  private boolean handshake(String name, Frames frames) throws MalformedFrameException {
    switch (name) {
      case "hello" -> hello(frames);
      case "welcome" -> welcome(frames);
      case "proof" -> {
        Octets proof = in.octets("proof", WireLimits.PROOF_BYTES);
        in.end();
        canonical.proof(proof);
        checkCrc();
        frames.proof(proof);
      }
      case "goaway" -> {
        int code = in.u16("code");
        String text = in.text("text", WireLimits.MAX_TEXT_BYTES);
        boolean draining = in.flag("draining");
        in.end();
        canonical.goAway(code, text, draining);
        checkCrc();
        frames.goAway(ErrorCode.ofNumber(code), text, draining);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void hello(Frames frames) throws MalformedFrameException {
    Hello hello =
        new Hello(
            in.u16("min"),
            in.u16("max"),
            in.u64("node"),
            in.u64("nodelow"),
            in.u64("session"),
            in.u64("sessionlow"),
            in.u16("lane"),
            in.u32("epoch"),
            in.u64("features"),
            in.u32("frame"),
            in.u32("channels"),
            in.u32("heartbeat"),
            nonce(),
            in.text("name", WireLimits.MAX_NAME_BYTES));
    in.end();
    canonical.hello(hello);
    checkCrc();
    frames.hello(hello);
  }

  private void welcome(Frames frames) throws MalformedFrameException {
    Welcome welcome =
        new Welcome(
            in.u16("version"),
            in.u64("node"),
            in.u64("nodelow"),
            in.u64("session"),
            in.u64("sessionlow"),
            in.flag("resumed"),
            in.u64("features"),
            in.u32("frame"),
            in.u32("channels"),
            in.u32("heartbeat"),
            nonce(),
            in.octets("proof", WireLimits.PROOF_BYTES),
            in.text("name", WireLimits.MAX_NAME_BYTES));
    in.end();
    canonical.welcome(welcome);
    checkCrc();
    frames.welcome(welcome);
  }

  private Octets nonce() throws MalformedFrameException {
    Octets nonce = in.octets("nonce", WireLimits.NONCE_BYTES);
    if (nonce.length() != WireLimits.NONCE_BYTES) {
      throw new MalformedFrameException(
          "nonce: expected " + WireLimits.NONCE_BYTES + " bytes, got " + nonce.length());
    }
    return nonce;
  }

  private boolean lane(String name, Frames frames) throws MalformedFrameException {
    switch (name) {
      case "ready" -> {
        int channels = in.u32("channels");
        boolean draining = in.flag("draining");
        in.skipAppended();
        canonical.ready(channels, draining);
        checkCrc();
        frames.ready(channels, draining);
      }
      case "ping" -> {
        long value = in.u64("value");
        in.skipAppended();
        canonical.ping(value);
        checkCrc();
        frames.ping(value);
      }
      case "pong" -> {
        long value = in.u64("value");
        in.skipAppended();
        canonical.pong(value);
        checkCrc();
        frames.pong(value);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean channel(String name, Frames frames) throws MalformedFrameException {
    switch (name) {
      case "open", "opened" -> open(name.equals("open"), frames);
      case "data" -> data(frames);
      case "finish", "finishack" -> finish(name.equals("finish"), frames);
      case "demand" -> {
        int channel = in.u32("channel");
        long position = in.u64("position");
        long backlog = in.u64("backlog");
        in.skipAppended();
        canonical.demand(channel, position, backlog);
        checkCrc();
        frames.demand(channel, position, backlog);
      }
      case "credit" -> {
        int channel = in.u32("channel");
        long received = in.u64("received");
        long consumed = in.u64("consumed");
        long limit = in.u64("limit");
        in.skipAppended();
        canonical.credit(channel, received, consumed, limit);
        checkCrc();
        frames.credit(channel, received, consumed, limit);
      }
      case "reset" -> {
        int channel = in.u32("channel");
        int code = in.u16("code");
        String text = in.text("text", WireLimits.MAX_TEXT_BYTES);
        in.skipAppended();
        canonical.reset(channel, code, text);
        checkCrc();
        frames.reset(channel, ErrorCode.ofNumber(code), text);
      }
      case "closed" -> {
        int channel = in.u32("channel");
        in.skipAppended();
        canonical.closed(channel);
        checkCrc();
        frames.closed(channel);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void finish(boolean request, Frames frames) throws MalformedFrameException {
    int channel = in.u32("channel");
    long position = in.u64("position");
    long sequence = in.u64("sequence");
    in.skipAppended();
    if (request) {
      canonical.finish(channel, position, sequence);
      checkCrc();
      frames.finish(channel, position, sequence);
    } else {
      canonical.finishAck(channel, position, sequence);
      checkCrc();
      frames.finishAck(channel, position, sequence);
    }
  }

  private void open(boolean request, Frames frames) throws MalformedFrameException {
    int channel = in.u32("channel");
    Role role = in.either("role", "sender", "receiver") ? Role.RECEIVER : Role.SENDER;
    long exchange = in.u64("exchange");
    int producer = in.u32("producer");
    int consumer = in.u32("consumer");
    int attempt = in.u32("attempt");
    long position = in.u64("position");
    long sequence = in.u64("sequence");
    long backlog = in.u64("backlog");
    long consumed = in.u64("consumed");
    long limit = in.u64("limit");
    int floor = in.u32("floor");
    in.skipAppended();
    Opening call = request ? Frames::open : Frames::opened;
    call.on(
        canonical, channel, role, exchange, producer, consumer, attempt, position, sequence,
        backlog, consumed, limit, floor);
    checkCrc();
    call.on(
        frames, channel, role, exchange, producer, consumer, attempt, position, sequence, backlog,
        consumed, limit, floor);
  }

  private void data(Frames frames) throws MalformedFrameException {
    int channel = in.u32("channel");
    long position = in.u64("position");
    long sequence = in.u64("sequence");
    int messages = in.u32("messages");
    int flags = in.u16("flags");
    int uncompressed = in.u32("uncompressed");
    long backlog = in.u64("backlog");
    int length = in.u32("length");
    int payloadCrc = in.u32("payloadcrc");
    if (flags > (Frames.PIECE | Frames.LAST_PIECE | Frames.COMPRESSED)) {
      throw new MalformedFrameException("flags: expected only bits of 7, got " + flags);
    }
    int rest = in.skipAppendedBefore();
    if (rest != length) {
      throw new MalformedFrameException("payload length: expected " + rest + ", got " + length);
    }
    canonical.data(
        channel, position, sequence, messages, flags, uncompressed, backlog, length, payloadCrc);
    checkCrc();
    frames.data(
        channel, position, sequence, messages, flags, uncompressed, backlog, length, payloadCrc);
  }

  private void checkCrc() throws MalformedFrameException {
    int actual = canonical.crc();
    if (actual != crc) {
      throw new MalformedFrameException(
          "field CRC: expected "
              + Integer.toUnsignedString(crc)
              + ", got "
              + Integer.toUnsignedString(actual));
    }
  }

  /** OPEN and OPENED have the same fields. */
  @FunctionalInterface
  private interface Opening {
    void on(
        Frames frames,
        int channel,
        Role role,
        long exchange,
        int producer,
        int consumer,
        int attempt,
        long position,
        long sequence,
        long backlog,
        long consumed,
        long limit,
        int floor);
  }
}

package dev.penstock.transport.testkit;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;
import dev.penstock.transport.wire.WireText;
import java.io.ByteArrayOutputStream;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Writes lines. */
final class PlainTextEncoder implements FrameEncoder {
  private final CanonicalFields canonical = new CanonicalFields();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private ByteBuffer target = ByteBuffer.allocate(0);

  @Override
  public void bind(ByteBuffer target) {
    this.target = target;
  }

  @Override
  public void hello(Hello hello) {
    canonical.hello(hello);
    start("hello")
        .u16("min", hello.minVersion())
        .u16("max", hello.maxVersion())
        .u64("node", hello.nodeIdHigh())
        .u64("nodelow", hello.nodeIdLow())
        .u64("session", hello.sessionIdHigh())
        .u64("sessionlow", hello.sessionIdLow())
        .u16("lane", hello.lane())
        .u32("epoch", hello.epoch())
        .u64("features", hello.features())
        .u32("frame", hello.maxFrameLength())
        .u32("channels", hello.maxChannels())
        .u32("heartbeat", hello.heartbeatMillis())
        .nonce(hello.nonce())
        .text("name", hello.nodeName(), WireLimits.MAX_NAME_BYTES)
        .end(0);
  }

  @Override
  public void welcome(Welcome welcome) {
    canonical.welcome(welcome);
    start("welcome")
        .u16("version", welcome.version())
        .u64("node", welcome.nodeIdHigh())
        .u64("nodelow", welcome.nodeIdLow())
        .u64("session", welcome.sessionIdHigh())
        .u64("sessionlow", welcome.sessionIdLow())
        .flag("resumed", welcome.resumed())
        .u64("features", welcome.features())
        .u32("frame", welcome.maxFrameLength())
        .u32("channels", welcome.maxChannels())
        .u32("heartbeat", welcome.heartbeatMillis())
        .nonce(welcome.nonce())
        .proofField(welcome.proof())
        .text("name", welcome.nodeName(), WireLimits.MAX_NAME_BYTES)
        .end(0);
  }

  @Override
  public void proof(Octets proof) {
    canonical.proof(proof);
    start("proof").proofField(proof).end(0);
  }

  @Override
  public void open(
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
      int floor) {
    canonical.open(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
    start("open")
        .key(channel, role, exchange, producer, consumer, attempt)
        .u64("position", position)
        .u64("sequence", sequence)
        .u64("backlog", backlog)
        .u64("consumed", consumed)
        .u64("limit", limit)
        .u32("floor", floor)
        .end(0);
  }

  @Override
  public void opened(
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
      int floor) {
    canonical.opened(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
    start("opened")
        .key(channel, role, exchange, producer, consumer, attempt)
        .u64("position", position)
        .u64("sequence", sequence)
        .u64("backlog", backlog)
        .u64("consumed", consumed)
        .u64("limit", limit)
        .u32("floor", floor)
        .end(0);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    canonical.ready(liveChannels, draining);
    start("ready").u32("channels", liveChannels).flag("draining", draining).end(0);
  }

  @Override
  public void data(
      int channel,
      long position,
      long sequence,
      int messages,
      int flags,
      int uncompressedLength,
      long backlog,
      int payloadLength,
      int payloadCrc) {
    if (flags < 0 || flags > (PIECE | LAST_PIECE | COMPRESSED) || payloadLength < 0) {
      throw new IllegalArgumentException(
          "expected flags of 0 to 7 and a payload, got " + flags + " and " + payloadLength);
    }
    canonical.data(
        channel,
        position,
        sequence,
        messages,
        flags,
        uncompressedLength,
        backlog,
        payloadLength,
        payloadCrc);
    start("data")
        .u32("channel", channel)
        .u64("position", position)
        .u64("sequence", sequence)
        .u32("messages", messages)
        .u16("flags", flags)
        .u32("uncompressed", uncompressedLength)
        .u64("backlog", backlog)
        .u32("length", payloadLength)
        .u32("payloadcrc", payloadCrc)
        .end(payloadLength);
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    canonical.demand(channel, position, backlog);
    start("demand")
        .u32("channel", channel)
        .u64("position", position)
        .u64("backlog", backlog)
        .end(0);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    canonical.credit(channel, received, consumed, limit);
    start("credit")
        .u32("channel", channel)
        .u64("received", received)
        .u64("consumed", consumed)
        .u64("limit", limit)
        .end(0);
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    canonical.finish(channel, position, sequence);
    start("finish")
        .u32("channel", channel)
        .u64("position", position)
        .u64("sequence", sequence)
        .end(0);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    canonical.finishAck(channel, position, sequence);
    start("finishack")
        .u32("channel", channel)
        .u64("position", position)
        .u64("sequence", sequence)
        .end(0);
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    canonical.reset(channel, code, text);
    start("reset")
        .u32("channel", channel)
        .u16("code", code.number())
        .text("text", text, WireLimits.MAX_TEXT_BYTES)
        .end(0);
  }

  @Override
  public void closed(int channel) {
    canonical.closed(channel);
    start("closed").u32("channel", channel).end(0);
  }

  @Override
  public void ping(long value) {
    canonical.ping(value);
    start("ping").u64("value", value).end(0);
  }

  @Override
  public void pong(long value) {
    canonical.pong(value);
    start("pong").u64("value", value).end(0);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    canonical.goAway(code, text, draining);
    start("goaway")
        .u16("code", code.number())
        .text("text", text, WireLimits.MAX_TEXT_BYTES)
        .flag("draining", draining)
        .end(0);
  }

  private PlainTextEncoder start(String name) {
    line.reset();
    ascii(name);
    return field("crc", HexFormat.of().toHexDigits(canonical.crc()));
  }

  private PlainTextEncoder key(
      int channel, Role role, long exchange, int producer, int consumer, int attempt) {
    return u32("channel", channel)
        .field("role", role == Role.SENDER ? "sender" : "receiver")
        .u64("exchange", exchange)
        .u32("producer", producer)
        .u32("consumer", consumer)
        .u32("attempt", attempt);
  }

  private PlainTextEncoder u16(String name, int value) {
    if (value < 0 || value > 0xFFFF) {
      throw new IllegalArgumentException(name + ": expected 0 to 65535, got " + value);
    }
    return u32(name, value);
  }

  private PlainTextEncoder u32(String name, int value) {
    return field(name, Integer.toUnsignedString(value));
  }

  private PlainTextEncoder u64(String name, long value) {
    return field(name, Long.toUnsignedString(value));
  }

  private PlainTextEncoder flag(String name, boolean value) {
    return field(name, value ? "yes" : "no");
  }

  private PlainTextEncoder nonce(Octets value) {
    if (value.length() != WireLimits.NONCE_BYTES) {
      throw new IllegalArgumentException(
          "nonce: expected " + WireLimits.NONCE_BYTES + " bytes, got " + value.length());
    }
    return octets("nonce", value);
  }

  private PlainTextEncoder proofField(Octets value) {
    if (value.length() > WireLimits.PROOF_BYTES) {
      throw new IllegalArgumentException(
          "proof: expected at most " + WireLimits.PROOF_BYTES + " bytes, got " + value.length());
    }
    return octets("proof", value);
  }

  private PlainTextEncoder octets(String name, Octets value) {
    return field(name, HexFormat.of().formatHex(value.toByteArray()));
  }

  private PlainTextEncoder text(String name, String value, int maxBytes) {
    byte[] utf8 = WireText.encode(value, maxBytes);
    field(name, utf8.length + ":");
    line.writeBytes(utf8);
    return this;
  }

  private PlainTextEncoder field(String name, String value) {
    ascii(" " + name + "=" + value);
    return this;
  }

  private void ascii(String text) {
    line.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void end(int payloadLength) {
    line.write('\n');
    int length = Sofh.LENGTH + line.size();
    if (target.remaining() < length) {
      throw new BufferOverflowException();
    }
    Sofh.put(target, target.position(), length + payloadLength, PlainTextCodec.ENCODING_TYPE);
    target.position(target.position() + Sofh.LENGTH);
    target.put(line.toByteArray());
  }
}

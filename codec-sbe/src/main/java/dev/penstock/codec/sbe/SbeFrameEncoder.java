package dev.penstock.codec.sbe;

import dev.penstock.codec.sbe.generated.ClosedEncoder;
import dev.penstock.codec.sbe.generated.CreditEncoder;
import dev.penstock.codec.sbe.generated.DataEncoder;
import dev.penstock.codec.sbe.generated.DemandEncoder;
import dev.penstock.codec.sbe.generated.FinishAckEncoder;
import dev.penstock.codec.sbe.generated.FinishEncoder;
import dev.penstock.codec.sbe.generated.GoAwayEncoder;
import dev.penstock.codec.sbe.generated.HelloEncoder;
import dev.penstock.codec.sbe.generated.MessageHeaderEncoder;
import dev.penstock.codec.sbe.generated.OpenEncoder;
import dev.penstock.codec.sbe.generated.OpenedEncoder;
import dev.penstock.codec.sbe.generated.PingEncoder;
import dev.penstock.codec.sbe.generated.PongEncoder;
import dev.penstock.codec.sbe.generated.ProofEncoder;
import dev.penstock.codec.sbe.generated.ReadyEncoder;
import dev.penstock.codec.sbe.generated.ResetEncoder;
import dev.penstock.codec.sbe.generated.WelcomeEncoder;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.CanonicalFields;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.Welcome;
import dev.penstock.transport.wire.WireLimits;
import dev.penstock.transport.wire.WireText;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes frames through the generated flyweights. */
final class SbeFrameEncoder implements FrameEncoder {
  private static final int HEADER_BYTES = Sofh.LENGTH + MessageHeaderEncoder.ENCODED_LENGTH;
  private static final int ALL_FLAGS = Frames.PIECE | Frames.LAST_PIECE | Frames.COMPRESSED;

  private final CanonicalFields canonical = new CanonicalFields();
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);
  private final MessageHeaderEncoder header = new MessageHeaderEncoder();
  private final HelloEncoder hello = new HelloEncoder();
  private final WelcomeEncoder welcome = new WelcomeEncoder();
  private final ProofEncoder proof = new ProofEncoder();
  private final OpenEncoder open = new OpenEncoder();
  private final OpenedEncoder opened = new OpenedEncoder();
  private final ReadyEncoder ready = new ReadyEncoder();
  private final DataEncoder data = new DataEncoder();
  private final DemandEncoder demand = new DemandEncoder();
  private final CreditEncoder credit = new CreditEncoder();
  private final FinishEncoder finish = new FinishEncoder();
  private final FinishAckEncoder finishAck = new FinishAckEncoder();
  private final ResetEncoder reset = new ResetEncoder();
  private final ClosedEncoder closed = new ClosedEncoder();
  private final PingEncoder ping = new PingEncoder();
  private final PongEncoder pong = new PongEncoder();
  private final GoAwayEncoder goAway = new GoAwayEncoder();
  private ByteBuffer target = ByteBuffer.allocate(0);

  @Override
  public void bind(ByteBuffer target) {
    if (target.isReadOnly()) {
      // Agrona writes around the buffer's own check.
      throw new ReadOnlyBufferException();
    }
    buffer.wrap(target);
    this.target = target;
  }

  @Override
  public void hello(Hello hello) {
    requireU16("minVersion", hello.minVersion());
    requireU16("maxVersion", hello.maxVersion());
    requireU16("lane", hello.lane());
    requireNonce(hello.nonce());
    canonical.hello(hello);
    byte[] name = WireText.encode(hello.nodeName(), WireLimits.MAX_NAME_BYTES);
    int variable = HelloEncoder.nodeNameHeaderLength() + name.length;
    int block = start(HelloEncoder.TEMPLATE_ID, HelloEncoder.BLOCK_LENGTH, variable, 0);
    this.hello
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .minVersion(hello.minVersion())
        .maxVersion(hello.maxVersion())
        .nodeIdHigh(hello.nodeIdHigh())
        .nodeIdLow(hello.nodeIdLow())
        .sessionIdHigh(hello.sessionIdHigh())
        .sessionIdLow(hello.sessionIdLow())
        .lane(hello.lane())
        .epoch(hello.epoch())
        .features(hello.features())
        .maxFrameLength(hello.maxFrameLength())
        .maxChannels(hello.maxChannels())
        .heartbeatMillis(hello.heartbeatMillis())
        .putNonce(hello.nonce().toByteArray(), 0, WireLimits.NONCE_BYTES)
        .putNodeName(name, 0, name.length);
  }

  @Override
  public void welcome(Welcome welcome) {
    requireU16("version", welcome.version());
    requireNonce(welcome.nonce());
    requireProof(welcome.proof());
    canonical.welcome(welcome);
    byte[] proof = welcome.proof().toByteArray();
    byte[] name = WireText.encode(welcome.nodeName(), WireLimits.MAX_NAME_BYTES);
    int variable =
        WelcomeEncoder.proofHeaderLength()
            + proof.length
            + WelcomeEncoder.nodeNameHeaderLength()
            + name.length;
    int block = start(WelcomeEncoder.TEMPLATE_ID, WelcomeEncoder.BLOCK_LENGTH, variable, 0);
    this.welcome
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .version(welcome.version())
        .nodeIdHigh(welcome.nodeIdHigh())
        .nodeIdLow(welcome.nodeIdLow())
        .sessionIdHigh(welcome.sessionIdHigh())
        .sessionIdLow(welcome.sessionIdLow())
        .resumed(flag(welcome.resumed()))
        .features(welcome.features())
        .maxFrameLength(welcome.maxFrameLength())
        .maxChannels(welcome.maxChannels())
        .heartbeatMillis(welcome.heartbeatMillis())
        .putNonce(welcome.nonce().toByteArray(), 0, WireLimits.NONCE_BYTES)
        .putProof(proof, 0, proof.length)
        .putNodeName(name, 0, name.length);
  }

  @Override
  public void proof(Octets proof) {
    requireProof(proof);
    canonical.proof(proof);
    byte[] bytes = proof.toByteArray();
    int variable = ProofEncoder.proofHeaderLength() + bytes.length;
    int block = start(ProofEncoder.TEMPLATE_ID, ProofEncoder.BLOCK_LENGTH, variable, 0);
    this.proof.wrap(buffer, block).fieldCrc(canonical.crc()).putProof(bytes, 0, bytes.length);
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
    int block = start(OpenEncoder.TEMPLATE_ID, OpenEncoder.BLOCK_LENGTH, 0, 0);
    open.wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .channel(channel)
        .role((short) role.number())
        .exchange(exchange)
        .producer(producer)
        .consumer(consumer)
        .attempt(attempt)
        .position(position)
        .sequence(sequence)
        .backlog(backlog)
        .consumed(consumed)
        .creditLimit(limit)
        .floor(floor);
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
    int block = start(OpenedEncoder.TEMPLATE_ID, OpenedEncoder.BLOCK_LENGTH, 0, 0);
    opened
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .channel(channel)
        .role((short) role.number())
        .exchange(exchange)
        .producer(producer)
        .consumer(consumer)
        .attempt(attempt)
        .position(position)
        .sequence(sequence)
        .backlog(backlog)
        .consumed(consumed)
        .creditLimit(limit)
        .floor(floor);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    canonical.ready(liveChannels, draining);
    int block = start(ReadyEncoder.TEMPLATE_ID, ReadyEncoder.BLOCK_LENGTH, 0, 0);
    ready
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .liveChannels(liveChannels)
        .draining(flag(draining));
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
    if ((flags & ~ALL_FLAGS) != 0) {
      throw new IllegalArgumentException(
          "DATA flags: expected only bits of " + ALL_FLAGS + ", got " + flags);
    }
    if (payloadLength < 0 || payloadLength > Integer.MAX_VALUE - WireLimits.MAX_HEADER_BYTES) {
      throw new IllegalArgumentException(
          "DATA payloadLength: expected 0 or more and a frame length that fits an int, got "
              + payloadLength);
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
    int block = start(DataEncoder.TEMPLATE_ID, DataEncoder.BLOCK_LENGTH, 0, payloadLength);
    data.wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .channel(channel)
        .position(position)
        .sequence(sequence)
        .messages(messages)
        .flags((short) flags)
        .uncompressedLength(uncompressedLength)
        .backlog(backlog)
        .payloadLength(payloadLength)
        .payloadCrc(payloadCrc);
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    canonical.demand(channel, position, backlog);
    int block = start(DemandEncoder.TEMPLATE_ID, DemandEncoder.BLOCK_LENGTH, 0, 0);
    demand
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .channel(channel)
        .position(position)
        .backlog(backlog);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    canonical.credit(channel, received, consumed, limit);
    int block = start(CreditEncoder.TEMPLATE_ID, CreditEncoder.BLOCK_LENGTH, 0, 0);
    credit
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .channel(channel)
        .received(received)
        .consumed(consumed)
        .creditLimit(limit);
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    canonical.finish(channel, position, sequence);
    int block = start(FinishEncoder.TEMPLATE_ID, FinishEncoder.BLOCK_LENGTH, 0, 0);
    finish
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .channel(channel)
        .position(position)
        .sequence(sequence);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    canonical.finishAck(channel, position, sequence);
    int block = start(FinishAckEncoder.TEMPLATE_ID, FinishAckEncoder.BLOCK_LENGTH, 0, 0);
    finishAck
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .channel(channel)
        .position(position)
        .sequence(sequence);
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    canonical.reset(channel, code, text);
    byte[] bytes = WireText.encode(text, WireLimits.MAX_TEXT_BYTES);
    int variable = ResetEncoder.textHeaderLength() + bytes.length;
    int block = start(ResetEncoder.TEMPLATE_ID, ResetEncoder.BLOCK_LENGTH, variable, 0);
    reset
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .channel(channel)
        .code(code.number())
        .putText(bytes, 0, bytes.length);
  }

  @Override
  public void closed(int channel) {
    canonical.closed(channel);
    int block = start(ClosedEncoder.TEMPLATE_ID, ClosedEncoder.BLOCK_LENGTH, 0, 0);
    closed.wrap(buffer, block).fieldCrc(canonical.crc()).channel(channel);
  }

  @Override
  public void ping(long value) {
    canonical.ping(value);
    int block = start(PingEncoder.TEMPLATE_ID, PingEncoder.BLOCK_LENGTH, 0, 0);
    ping.wrap(buffer, block).fieldCrc(canonical.crc()).value(value);
  }

  @Override
  public void pong(long value) {
    canonical.pong(value);
    int block = start(PongEncoder.TEMPLATE_ID, PongEncoder.BLOCK_LENGTH, 0, 0);
    pong.wrap(buffer, block).fieldCrc(canonical.crc()).value(value);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    canonical.goAway(code, text, draining);
    byte[] bytes = WireText.encode(text, WireLimits.MAX_TEXT_BYTES);
    int variable = GoAwayEncoder.textHeaderLength() + bytes.length;
    int block = start(GoAwayEncoder.TEMPLATE_ID, GoAwayEncoder.BLOCK_LENGTH, variable, 0);
    goAway
        .wrap(buffer, block)
        .fieldCrc(canonical.crc())
        .code(code.number())
        .draining(flag(draining))
        .putText(bytes, 0, bytes.length);
  }

  /**
   * Writes both headers, moves the target behind the frame's own bytes, returns the block's index.
   */
  private int start(int template, int blockLength, int variableLength, int payloadLength) {
    int index = target.position();
    int own = HEADER_BYTES + blockLength + variableLength;
    if (target.remaining() < own) {
      throw new BufferOverflowException();
    }
    Sofh.put(target, index, own + payloadLength, SbeWireCodec.ENCODING_TYPE);
    header
        .wrap(buffer, index + Sofh.LENGTH)
        .blockLength(blockLength)
        .templateId(template)
        .schemaId(MessageHeaderEncoder.SCHEMA_ID)
        .version(MessageHeaderEncoder.SCHEMA_VERSION);
    target.position(index + own);
    return index + HEADER_BYTES;
  }

  private static short flag(boolean value) {
    return (short) (value ? 1 : 0);
  }

  private static void requireU16(String field, int value) {
    if (value != Short.toUnsignedInt((short) value)) {
      throw new IllegalArgumentException(field + ": expected 0 to 65535, got " + value);
    }
  }

  private static void requireNonce(Octets nonce) {
    if (nonce.length() != WireLimits.NONCE_BYTES) {
      throw new IllegalArgumentException(
          "nonce: expected " + WireLimits.NONCE_BYTES + " bytes, got " + nonce.length());
    }
  }

  private static void requireProof(Octets proof) {
    if (proof.length() > WireLimits.PROOF_BYTES) {
      throw new IllegalArgumentException(
          "proof: expected at most " + WireLimits.PROOF_BYTES + " bytes, got " + proof.length());
    }
  }
}

package dev.penstock.codec.sbe;

import dev.penstock.codec.sbe.generated.ClosedDecoder;
import dev.penstock.codec.sbe.generated.CreditDecoder;
import dev.penstock.codec.sbe.generated.DataDecoder;
import dev.penstock.codec.sbe.generated.DemandDecoder;
import dev.penstock.codec.sbe.generated.FinishAckDecoder;
import dev.penstock.codec.sbe.generated.FinishDecoder;
import dev.penstock.codec.sbe.generated.GoAwayDecoder;
import dev.penstock.codec.sbe.generated.HelloDecoder;
import dev.penstock.codec.sbe.generated.MessageHeaderDecoder;
import dev.penstock.codec.sbe.generated.OpenDecoder;
import dev.penstock.codec.sbe.generated.OpenedDecoder;
import dev.penstock.codec.sbe.generated.PingDecoder;
import dev.penstock.codec.sbe.generated.PongDecoder;
import dev.penstock.codec.sbe.generated.ProofDecoder;
import dev.penstock.codec.sbe.generated.ReadyDecoder;
import dev.penstock.codec.sbe.generated.ResetDecoder;
import dev.penstock.codec.sbe.generated.WelcomeDecoder;
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
import dev.penstock.transport.wire.WireText;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads frames through the generated flyweights. Every length is checked before it is used, because
 * a host may have switched Agrona's bounds checks off.
 */
final class SbeFrameDecoder implements FrameDecoder {
  private static final int HEADER_BYTES = Sofh.LENGTH + MessageHeaderDecoder.ENCODED_LENGTH;
  private static final int OLDEST_VERSION = 1;
  private static final int ALL_FLAGS = Frames.PIECE | Frames.LAST_PIECE | Frames.COMPRESSED;

  private final CanonicalFields canonical = new CanonicalFields();
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);
  private final MessageHeaderDecoder header = new MessageHeaderDecoder();
  private final HelloDecoder hello = new HelloDecoder();
  private final WelcomeDecoder welcome = new WelcomeDecoder();
  private final ProofDecoder proof = new ProofDecoder();
  private final OpenDecoder open = new OpenDecoder();
  private final OpenedDecoder opened = new OpenedDecoder();
  private final ReadyDecoder ready = new ReadyDecoder();
  private final DataDecoder data = new DataDecoder();
  private final DemandDecoder demand = new DemandDecoder();
  private final CreditDecoder credit = new CreditDecoder();
  private final FinishDecoder finish = new FinishDecoder();
  private final FinishAckDecoder finishAck = new FinishAckDecoder();
  private final ResetDecoder reset = new ResetDecoder();
  private final ClosedDecoder closed = new ClosedDecoder();
  private final PingDecoder ping = new PingDecoder();
  private final PongDecoder pong = new PongDecoder();
  private final GoAwayDecoder goAway = new GoAwayDecoder();

  private int frameLength;
  private int blockLength;
  private int version;

  @Override
  public void decode(ByteBuffer source, int index, int length, Frames frames)
      throws MalformedFrameException {
    Objects.checkFromIndexSize(index, length, source.limit());
    if (length < HEADER_BYTES) {
      throw malformed("frame length", "at least " + HEADER_BYTES, length);
    }
    checkSofh(source, index, length);
    buffer.wrap(source, index, length);
    header.wrap(buffer, Sofh.LENGTH);
    if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID) {
      throw malformed("schema id", MessageHeaderDecoder.SCHEMA_ID, header.schemaId());
    }
    frameLength = length;
    blockLength = header.blockLength();
    version = header.version();
    if (version < OLDEST_VERSION) {
      throw malformed("schema version", OLDEST_VERSION + " or newer", version);
    }
    decodeBlock(header.templateId(), frames);
  }

  private static void checkSofh(ByteBuffer source, int index, int length)
      throws MalformedFrameException {
    long stated = Sofh.frameLength(source, index);
    if (stated != length) {
      throw malformed("frame length in the SOFH", length, stated);
    }
    int type = Sofh.encodingType(source, index);
    if (type != SbeWireCodec.ENCODING_TYPE) {
      throw malformed("encoding type", SbeWireCodec.ENCODING_TYPE, type);
    }
  }

  private void decodeBlock(int template, Frames frames) throws MalformedFrameException {
    switch (template) {
      case DataDecoder.TEMPLATE_ID -> decodeData(frames);
      case CreditDecoder.TEMPLATE_ID -> decodeCredit(frames);
      case DemandDecoder.TEMPLATE_ID -> decodeDemand(frames);
      case OpenDecoder.TEMPLATE_ID -> decodeOpen(frames);
      case OpenedDecoder.TEMPLATE_ID -> decodeOpened(frames);
      case ReadyDecoder.TEMPLATE_ID -> decodeReady(frames);
      case FinishDecoder.TEMPLATE_ID -> decodeFinish(frames);
      case FinishAckDecoder.TEMPLATE_ID -> decodeFinishAck(frames);
      case ResetDecoder.TEMPLATE_ID -> decodeReset(frames);
      case ClosedDecoder.TEMPLATE_ID -> decodeClosed(frames);
      case PingDecoder.TEMPLATE_ID -> decodePing(frames);
      case PongDecoder.TEMPLATE_ID -> decodePong(frames);
      case HelloDecoder.TEMPLATE_ID -> decodeHello(frames);
      case WelcomeDecoder.TEMPLATE_ID -> decodeWelcome(frames);
      case ProofDecoder.TEMPLATE_ID -> decodeProof(frames);
      case GoAwayDecoder.TEMPLATE_ID -> decodeGoAway(frames);
      default ->
          throw malformed(
              "template id",
              HelloDecoder.TEMPLATE_ID + " to " + GoAwayDecoder.TEMPLATE_ID,
              template);
    }
  }

  private void decodeHello(Frames frames) throws MalformedFrameException {
    requireExactBlock("HELLO", HelloDecoder.BLOCK_LENGTH);
    hello.wrap(buffer, HEADER_BYTES, blockLength, version);
    byte[] nonce = new byte[WireLimits.NONCE_BYTES];
    hello.getNonce(nonce, 0, nonce.length);
    requireRoom("HELLO", hello.limit() + HelloDecoder.nodeNameHeaderLength());
    byte[] name =
        new byte[requireLength("nodeName", hello.nodeNameLength(), WireLimits.MAX_NAME_BYTES)];
    requireEnd("HELLO", hello.limit() + HelloDecoder.nodeNameHeaderLength() + name.length);
    hello.getNodeName(name, 0, name.length);
    Hello value =
        new Hello(
            hello.minVersion(),
            hello.maxVersion(),
            hello.nodeIdHigh(),
            hello.nodeIdLow(),
            hello.sessionIdHigh(),
            hello.sessionIdLow(),
            hello.lane(),
            (int) hello.epoch(),
            hello.features(),
            (int) hello.maxFrameLength(),
            (int) hello.maxChannels(),
            (int) hello.heartbeatMillis(),
            Octets.copyOf(nonce),
            WireText.decode(name));
    canonical.hello(value);
    checkCrc("HELLO", hello.fieldCrc());
    frames.hello(value);
  }

  private void decodeWelcome(Frames frames) throws MalformedFrameException {
    requireExactBlock("WELCOME", WelcomeDecoder.BLOCK_LENGTH);
    welcome.wrap(buffer, HEADER_BYTES, blockLength, version);
    boolean resumed = flag("WELCOME resumed", welcome.resumed());
    byte[] nonce = new byte[WireLimits.NONCE_BYTES];
    welcome.getNonce(nonce, 0, nonce.length);
    requireRoom("WELCOME", welcome.limit() + WelcomeDecoder.proofHeaderLength());
    byte[] proofBytes =
        new byte[requireLength("proof", welcome.proofLength(), WireLimits.PROOF_BYTES)];
    requireRoom(
        "WELCOME",
        welcome.limit()
            + WelcomeDecoder.proofHeaderLength()
            + proofBytes.length
            + WelcomeDecoder.nodeNameHeaderLength());
    welcome.getProof(proofBytes, 0, proofBytes.length);
    byte[] name =
        new byte[requireLength("nodeName", welcome.nodeNameLength(), WireLimits.MAX_NAME_BYTES)];
    requireEnd("WELCOME", welcome.limit() + WelcomeDecoder.nodeNameHeaderLength() + name.length);
    welcome.getNodeName(name, 0, name.length);
    Welcome value =
        new Welcome(
            welcome.version(),
            welcome.nodeIdHigh(),
            welcome.nodeIdLow(),
            welcome.sessionIdHigh(),
            welcome.sessionIdLow(),
            resumed,
            welcome.features(),
            (int) welcome.maxFrameLength(),
            (int) welcome.maxChannels(),
            (int) welcome.heartbeatMillis(),
            Octets.copyOf(nonce),
            Octets.copyOf(proofBytes),
            WireText.decode(name));
    canonical.welcome(value);
    checkCrc("WELCOME", welcome.fieldCrc());
    frames.welcome(value);
  }

  private void decodeProof(Frames frames) throws MalformedFrameException {
    requireExactBlock("PROOF", ProofDecoder.BLOCK_LENGTH);
    proof.wrap(buffer, HEADER_BYTES, blockLength, version);
    requireRoom("PROOF", proof.limit() + ProofDecoder.proofHeaderLength());
    byte[] bytes = new byte[requireLength("proof", proof.proofLength(), WireLimits.PROOF_BYTES)];
    requireEnd("PROOF", proof.limit() + ProofDecoder.proofHeaderLength() + bytes.length);
    proof.getProof(bytes, 0, bytes.length);
    Octets value = Octets.copyOf(bytes);
    canonical.proof(value);
    checkCrc("PROOF", proof.fieldCrc());
    frames.proof(value);
  }

  private void decodeOpen(Frames frames) throws MalformedFrameException {
    requireBlock("OPEN", OpenDecoder.BLOCK_LENGTH);
    requireEnd("OPEN", HEADER_BYTES + blockLength);
    open.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) open.channel();
    Role role = role("OPEN role", open.role());
    long exchange = open.exchange();
    int producer = (int) open.producer();
    int consumer = (int) open.consumer();
    int attempt = (int) open.attempt();
    long position = open.position();
    long sequence = open.sequence();
    long backlog = open.backlog();
    long consumed = open.consumed();
    long limit = open.creditLimit();
    int floor = (int) open.floor();
    canonical.open(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
    checkCrc("OPEN", open.fieldCrc());
    frames.open(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
  }

  private void decodeOpened(Frames frames) throws MalformedFrameException {
    requireBlock("OPENED", OpenedDecoder.BLOCK_LENGTH);
    requireEnd("OPENED", HEADER_BYTES + blockLength);
    opened.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) opened.channel();
    Role role = role("OPENED role", opened.role());
    long exchange = opened.exchange();
    int producer = (int) opened.producer();
    int consumer = (int) opened.consumer();
    int attempt = (int) opened.attempt();
    long position = opened.position();
    long sequence = opened.sequence();
    long backlog = opened.backlog();
    long consumed = opened.consumed();
    long limit = opened.creditLimit();
    int floor = (int) opened.floor();
    canonical.opened(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
    checkCrc("OPENED", opened.fieldCrc());
    frames.opened(
        channel, role, exchange, producer, consumer, attempt, position, sequence, backlog, consumed,
        limit, floor);
  }

  private void decodeReady(Frames frames) throws MalformedFrameException {
    requireBlock("READY", ReadyDecoder.BLOCK_LENGTH);
    requireEnd("READY", HEADER_BYTES + blockLength);
    ready.wrap(buffer, HEADER_BYTES, blockLength, version);
    int liveChannels = (int) ready.liveChannels();
    boolean draining = flag("READY draining", ready.draining());
    canonical.ready(liveChannels, draining);
    checkCrc("READY", ready.fieldCrc());
    frames.ready(liveChannels, draining);
  }

  private void decodeData(Frames frames) throws MalformedFrameException {
    requireBlock("DATA", DataDecoder.BLOCK_LENGTH);
    data.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) data.channel();
    long position = data.position();
    long sequence = data.sequence();
    int messages = (int) data.messages();
    int flags = data.flags();
    int uncompressedLength = (int) data.uncompressedLength();
    long backlog = data.backlog();
    long payloadLength = data.payloadLength();
    int payloadCrc = (int) data.payloadCrc();
    if ((flags & ~ALL_FLAGS) != 0) {
      throw malformed("DATA flags", "only bits of " + ALL_FLAGS, flags);
    }
    if (payloadLength != frameLength - HEADER_BYTES - blockLength) {
      throw malformed(
          "DATA payloadLength", frameLength - HEADER_BYTES - blockLength, payloadLength);
    }
    canonical.data(
        channel,
        position,
        sequence,
        messages,
        flags,
        uncompressedLength,
        backlog,
        (int) payloadLength,
        payloadCrc);
    checkCrc("DATA", data.fieldCrc());
    frames.data(
        channel,
        position,
        sequence,
        messages,
        flags,
        uncompressedLength,
        backlog,
        (int) payloadLength,
        payloadCrc);
  }

  private void decodeDemand(Frames frames) throws MalformedFrameException {
    requireBlock("DEMAND", DemandDecoder.BLOCK_LENGTH);
    requireEnd("DEMAND", HEADER_BYTES + blockLength);
    demand.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) demand.channel();
    long position = demand.position();
    long backlog = demand.backlog();
    canonical.demand(channel, position, backlog);
    checkCrc("DEMAND", demand.fieldCrc());
    frames.demand(channel, position, backlog);
  }

  private void decodeCredit(Frames frames) throws MalformedFrameException {
    requireBlock("CREDIT", CreditDecoder.BLOCK_LENGTH);
    requireEnd("CREDIT", HEADER_BYTES + blockLength);
    credit.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) credit.channel();
    long received = credit.received();
    long consumed = credit.consumed();
    long limit = credit.creditLimit();
    canonical.credit(channel, received, consumed, limit);
    checkCrc("CREDIT", credit.fieldCrc());
    frames.credit(channel, received, consumed, limit);
  }

  private void decodeFinish(Frames frames) throws MalformedFrameException {
    requireBlock("FINISH", FinishDecoder.BLOCK_LENGTH);
    requireEnd("FINISH", HEADER_BYTES + blockLength);
    finish.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) finish.channel();
    long position = finish.position();
    long sequence = finish.sequence();
    canonical.finish(channel, position, sequence);
    checkCrc("FINISH", finish.fieldCrc());
    frames.finish(channel, position, sequence);
  }

  private void decodeFinishAck(Frames frames) throws MalformedFrameException {
    requireBlock("FINISH_ACK", FinishAckDecoder.BLOCK_LENGTH);
    requireEnd("FINISH_ACK", HEADER_BYTES + blockLength);
    finishAck.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) finishAck.channel();
    long position = finishAck.position();
    long sequence = finishAck.sequence();
    canonical.finishAck(channel, position, sequence);
    checkCrc("FINISH_ACK", finishAck.fieldCrc());
    frames.finishAck(channel, position, sequence);
  }

  private void decodeReset(Frames frames) throws MalformedFrameException {
    requireBlock("RESET", ResetDecoder.BLOCK_LENGTH);
    reset.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) reset.channel();
    int code = reset.code();
    requireRoom("RESET", reset.limit() + ResetDecoder.textHeaderLength());
    byte[] utf8 =
        new byte[requireLength("RESET text", reset.textLength(), WireLimits.MAX_TEXT_BYTES)];
    requireEnd("RESET", reset.limit() + ResetDecoder.textHeaderLength() + utf8.length);
    reset.getText(utf8, 0, utf8.length);
    String text = WireText.decode(utf8);
    canonical.reset(channel, code, text);
    checkCrc("RESET", reset.fieldCrc());
    frames.reset(channel, ErrorCode.ofNumber(code), text);
  }

  private void decodeClosed(Frames frames) throws MalformedFrameException {
    requireBlock("CLOSED", ClosedDecoder.BLOCK_LENGTH);
    requireEnd("CLOSED", HEADER_BYTES + blockLength);
    closed.wrap(buffer, HEADER_BYTES, blockLength, version);
    int channel = (int) closed.channel();
    canonical.closed(channel);
    checkCrc("CLOSED", closed.fieldCrc());
    frames.closed(channel);
  }

  private void decodePing(Frames frames) throws MalformedFrameException {
    requireBlock("PING", PingDecoder.BLOCK_LENGTH);
    requireEnd("PING", HEADER_BYTES + blockLength);
    ping.wrap(buffer, HEADER_BYTES, blockLength, version);
    long value = ping.value();
    canonical.ping(value);
    checkCrc("PING", ping.fieldCrc());
    frames.ping(value);
  }

  private void decodePong(Frames frames) throws MalformedFrameException {
    requireBlock("PONG", PongDecoder.BLOCK_LENGTH);
    requireEnd("PONG", HEADER_BYTES + blockLength);
    pong.wrap(buffer, HEADER_BYTES, blockLength, version);
    long value = pong.value();
    canonical.pong(value);
    checkCrc("PONG", pong.fieldCrc());
    frames.pong(value);
  }

  private void decodeGoAway(Frames frames) throws MalformedFrameException {
    requireExactBlock("GOAWAY", GoAwayDecoder.BLOCK_LENGTH);
    goAway.wrap(buffer, HEADER_BYTES, blockLength, version);
    int code = goAway.code();
    boolean draining = flag("GOAWAY draining", goAway.draining());
    requireRoom("GOAWAY", goAway.limit() + GoAwayDecoder.textHeaderLength());
    byte[] utf8 =
        new byte[requireLength("GOAWAY text", goAway.textLength(), WireLimits.MAX_TEXT_BYTES)];
    requireEnd("GOAWAY", goAway.limit() + GoAwayDecoder.textHeaderLength() + utf8.length);
    goAway.getText(utf8, 0, utf8.length);
    String text = WireText.decode(utf8);
    canonical.goAway(code, text, draining);
    checkCrc("GOAWAY", goAway.fieldCrc());
    frames.goAway(ErrorCode.ofNumber(code), text, draining);
  }

  /** Our own version has exactly our block; only a newer one may have appended to it. */
  private void requireBlock(String frame, int expected) throws MalformedFrameException {
    if (version > MessageHeaderDecoder.SCHEMA_VERSION) {
      if (blockLength < expected) {
        throw malformed(frame + " block length", "at least " + expected, blockLength);
      }
    } else if (blockLength != expected) {
      throw malformed(frame + " block length", expected, blockLength);
    }
    requireRoom(frame, HEADER_BYTES + blockLength);
  }

  /** For frames whose layout never changes. */
  private void requireExactBlock(String frame, int expected) throws MalformedFrameException {
    if (blockLength != expected) {
      throw malformed(frame + " block length", expected, blockLength);
    }
    requireRoom(frame, HEADER_BYTES + blockLength);
  }

  private void requireRoom(String frame, int end) throws MalformedFrameException {
    if (end > frameLength) {
      throw malformed(frame + " frame length", "at least " + end, frameLength);
    }
  }

  private void requireEnd(String frame, int end) throws MalformedFrameException {
    if (end != frameLength) {
      throw malformed(frame + " frame length", end, frameLength);
    }
  }

  private static int requireLength(String field, int length, int most)
      throws MalformedFrameException {
    if (length > most) {
      throw malformed(field + " length", "at most " + most, length);
    }
    return length;
  }

  private void checkCrc(String frame, long stated) throws MalformedFrameException {
    long actual = Integer.toUnsignedLong(canonical.crc());
    if (actual != stated) {
      throw malformed(frame + " field CRC", stated, actual);
    }
  }

  private static boolean flag(String field, int value) throws MalformedFrameException {
    if (value > 1) {
      throw malformed(field, "0 or 1", value);
    }
    return value == 1;
  }

  private static Role role(String field, int value) throws MalformedFrameException {
    return flag(field, value) ? Role.RECEIVER : Role.SENDER;
  }

  private static MalformedFrameException malformed(String what, long expected, long actual) {
    return malformed(what, Long.toString(expected), actual);
  }

  private static MalformedFrameException malformed(String what, String expected, long actual) {
    return new MalformedFrameException(what + ": expected " + expected + ", got " + actual);
  }
}

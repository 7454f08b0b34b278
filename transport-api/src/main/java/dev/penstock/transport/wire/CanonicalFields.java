package dev.penstock.transport.wire;

import dev.penstock.transport.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A frame's field values in the one order that does not depend on the codec: the frame's kind as
 * one byte, then the parameters of the {@link Frames} method in their order, little-endian, each in
 * the width that the method's documentation names; byte strings and UTF-8 texts with a u16 length
 * before them. The field CRC and the transcript that the handshake's proofs cover are computed over
 * these bytes.
 *
 * <p>Holds the frame of the last call. Not thread safe; allocates nothing for frames without text.
 */
public final class CanonicalFields implements Frames {
  private static final int CAPACITY = 1024;

  private final ByteBuffer bytes = ByteBuffer.allocate(CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc32c = new CRC32C();

  /** Creates an empty one. */
  public CanonicalFields() {}

  /**
   * The CRC32C of the last frame's canonical bytes.
   *
   * @return the checksum
   */
  public int crc() {
    crc32c.reset();
    crc32c.update(bytes.array(), 0, bytes.position());
    return (int) crc32c.getValue();
  }

  /**
   * The last frame's canonical bytes.
   *
   * @return a copy
   */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  @Override
  public void hello(Hello hello) {
    start(FrameKind.HELLO);
    bytes.putShort((short) hello.minVersion()).putShort((short) hello.maxVersion());
    bytes.putLong(hello.nodeIdHigh()).putLong(hello.nodeIdLow());
    bytes.putLong(hello.sessionIdHigh()).putLong(hello.sessionIdLow());
    bytes.putShort((short) hello.lane()).putInt(hello.epoch()).putLong(hello.features());
    bytes.putInt(hello.maxFrameLength()).putInt(hello.maxChannels());
    bytes.putInt(hello.heartbeatMillis());
    put(hello.nonce());
    put(hello.nodeName(), WireLimits.MAX_NAME_BYTES);
  }

  @Override
  public void welcome(Welcome welcome) {
    start(FrameKind.WELCOME);
    bytes.putShort((short) welcome.version());
    bytes.putLong(welcome.nodeIdHigh()).putLong(welcome.nodeIdLow());
    bytes.putLong(welcome.sessionIdHigh()).putLong(welcome.sessionIdLow());
    put(welcome.resumed());
    bytes.putLong(welcome.features());
    bytes.putInt(welcome.maxFrameLength()).putInt(welcome.maxChannels());
    bytes.putInt(welcome.heartbeatMillis());
    put(welcome.nonce());
    put(welcome.proof());
    put(welcome.nodeName(), WireLimits.MAX_NAME_BYTES);
  }

  @Override
  public void proof(Octets proof) {
    start(FrameKind.PROOF);
    put(proof);
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
    start(FrameKind.OPEN);
    key(channel, role, exchange, producer, consumer, attempt);
    bytes.putLong(position).putLong(sequence).putLong(backlog);
    bytes.putLong(consumed).putLong(limit).putInt(floor);
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
    start(FrameKind.OPENED);
    key(channel, role, exchange, producer, consumer, attempt);
    bytes.putLong(position).putLong(sequence).putLong(backlog);
    bytes.putLong(consumed).putLong(limit).putInt(floor);
  }

  @Override
  public void ready(int liveChannels, boolean draining) {
    start(FrameKind.READY);
    bytes.putInt(liveChannels);
    put(draining);
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
    start(FrameKind.DATA);
    bytes.putInt(channel).putLong(position).putLong(sequence).putInt(messages).put((byte) flags);
    bytes.putInt(uncompressedLength).putLong(backlog).putInt(payloadLength).putInt(payloadCrc);
  }

  @Override
  public void demand(int channel, long position, long backlog) {
    start(FrameKind.DEMAND);
    bytes.putInt(channel).putLong(position).putLong(backlog);
  }

  @Override
  public void credit(int channel, long received, long consumed, long limit) {
    start(FrameKind.CREDIT);
    bytes.putInt(channel).putLong(received).putLong(consumed).putLong(limit);
  }

  @Override
  public void finish(int channel, long position, long sequence) {
    start(FrameKind.FINISH);
    bytes.putInt(channel).putLong(position).putLong(sequence);
  }

  @Override
  public void finishAck(int channel, long position, long sequence) {
    start(FrameKind.FINISH_ACK);
    bytes.putInt(channel).putLong(position).putLong(sequence);
  }

  @Override
  public void reset(int channel, ErrorCode code, String text) {
    reset(channel, code.number(), text);
  }

  /**
   * RESET with the code as it came: a newer peer may use a number that {@link ErrorCode} does not
   * know here, and the checksum covers the number.
   *
   * @param channel the channel's number, u32
   * @param code the error code's number, u16
   * @param text for a person
   */
  public void reset(int channel, int code, String text) {
    start(FrameKind.RESET);
    bytes.putInt(channel).putShort((short) code);
    put(text, WireLimits.MAX_TEXT_BYTES);
  }

  @Override
  public void closed(int channel) {
    start(FrameKind.CLOSED);
    bytes.putInt(channel);
  }

  @Override
  public void ping(long value) {
    start(FrameKind.PING);
    bytes.putLong(value);
  }

  @Override
  public void pong(long value) {
    start(FrameKind.PONG);
    bytes.putLong(value);
  }

  @Override
  public void goAway(ErrorCode code, String text, boolean draining) {
    goAway(code.number(), text, draining);
  }

  /**
   * GOAWAY with the code as it came; see {@link #reset(int, int, String)}.
   *
   * @param code the error code's number, u16
   * @param text for a person
   * @param draining as in {@link Frames#goAway}
   */
  public void goAway(int code, String text, boolean draining) {
    start(FrameKind.GOAWAY);
    bytes.putShort((short) code);
    put(text, WireLimits.MAX_TEXT_BYTES);
    put(draining);
  }

  private void start(int kind) {
    bytes.clear();
    bytes.put((byte) kind);
  }

  private void key(int channel, Role role, long exchange, int producer, int consumer, int attempt) {
    bytes.putInt(channel).put((byte) role.number()).putLong(exchange);
    bytes.putInt(producer).putInt(consumer).putInt(attempt);
  }

  private void put(boolean value) {
    bytes.put((byte) (value ? 1 : 0));
  }

  private void put(Octets value) {
    put(value.toByteArray());
  }

  private void put(byte[] value) {
    bytes.putShort((short) value.length).put(value);
  }

  private void put(String value, int maxBytes) {
    put(WireText.encode(value, maxBytes));
  }
}

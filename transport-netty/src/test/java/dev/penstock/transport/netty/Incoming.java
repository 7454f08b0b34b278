package dev.penstock.transport.netty;

import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.WireCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * A lane without protocol: DATA goes to the channel with its number, and what comes back is written
 * down.
 */
class Incoming extends FramesAdapter implements FrameReader.Listener, InboundLane.Port {
  final ReceiveMemory memory;
  final InboundLane lane;
  final Map<Integer, InboundChannel> channels = new HashMap<>();
  final List<Long> pings = new ArrayList<>();
  final List<InboundChannel> attention = new ArrayList<>();
  ReceiveBuffer buffer;
  FrameReader reader;
  MalformedFrameException malformed;
  long tooLarge = -1;
  int foreign = -1;
  int turns;

  Incoming(ReceiveMemory memory, Executor loop) {
    this.memory = memory;
    this.lane = new InboundLane(memory, loop, this);
  }

  FrameReader newReader(WireCodec codec, FrameReader.Source source, int maxBuffer) {
    buffer = new ReceiveBuffer(memory, maxBuffer);
    reader = new FrameReader(codec, this, this, buffer, source);
    return reader;
  }

  InboundChannel open(int number, InboundDelivery delivery) {
    InboundChannel channel = new InboundChannel(lane, delivery, true, number);
    channels.put(number, channel);
    return channel;
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
    channels
        .get(channel)
        .accept(reader, position, sequence, messages, flags, payloadLength, payloadCrc);
  }

  @Override
  public void ping(long value) {
    pings.add(value);
  }

  @Override
  public void onReadTurnBegin() {}

  @Override
  public void onBytes() {}

  @Override
  public void onMalformed(MalformedFrameException cause) {
    malformed = cause;
  }

  @Override
  public void onTooLarge(long length, int limit) {
    tooLarge = length;
  }

  @Override
  public void onForeignEncoding(int expected, int actual) {
    foreign = actual;
  }

  @Override
  public void onReadTurnEnd() {
    turns++;
  }

  @Override
  public void onAttention(InboundChannel channel) {
    attention.add(channel);
  }

  @Override
  public void onAttentionEnd() {
    // Nothing is written here.
  }
}

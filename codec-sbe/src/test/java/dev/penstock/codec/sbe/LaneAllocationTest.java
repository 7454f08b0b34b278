package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.protocol.Admission;
import dev.penstock.transport.protocol.Binding;
import dev.penstock.transport.protocol.CreditBudget;
import dev.penstock.transport.protocol.CreditPool;
import dev.penstock.transport.protocol.CreditShare;
import dev.penstock.transport.protocol.Flow;
import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.protocol.FrameSink;
import dev.penstock.transport.protocol.Lane;
import dev.penstock.transport.protocol.LaneConfig;
import dev.penstock.transport.protocol.LanePort;
import dev.penstock.transport.protocol.ReceiveFlow;
import dev.penstock.transport.protocol.ReceiveListener;
import dev.penstock.transport.protocol.RecordSource;
import dev.penstock.transport.protocol.SendFlow;
import dev.penstock.transport.protocol.SendListener;
import dev.penstock.transport.testkit.Allocations;
import dev.penstock.transport.wire.FrameDecoder;
import dev.penstock.transport.wire.FrameEncoder;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.WireLimits;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A pair of lanes, each with its end of one channel, that speak SBE through one buffer. */
class LaneAllocationTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int RECORD = 200;
  private static final int ROUNDS = 20_000;

  @Test
  void shouldAllocateNothingForDataCreditAndDemand() throws Exception {
    Side producer = new Side(true);
    Side consumer = new Side(false);
    consumer.admission = new Admission.Accept(consumer.receiver(), consumer::attached);
    producer.lane.connected(64 * 1024, 100, SECOND, 0);
    consumer.lane.connected(64 * 1024, 100, SECOND, 0);
    SendFlow out =
        producer.lane.openSend(new ChannelKey(1, 2, 3, 4), producer.sender(), Lane.NEVER);
    exchange(producer, consumer);
    stream(producer, consumer, out, 5_000);

    long framesBefore = frames(producer, consumer);
    long demandsBefore = producer.lane.stats().demandsSent;
    long before = Allocations.ofThisThread();
    stream(producer, consumer, out, ROUNDS);
    long allocated = Allocations.ofThisThread() - before;

    long frames = frames(producer, consumer) - framesBefore;
    assertThat(consumer.received).isEqualTo(producer.committedPosition());
    assertThat(frames).isGreaterThan(2L * ROUNDS);
    assertThat(producer.lane.stats().demandsSent).isGreaterThan(demandsBefore);
    // One object for every frame would be 16 bytes and more for each.
    assertThat(allocated).isLessThan(frames / 8);
  }

  private static long frames(Side producer, Side consumer) {
    return producer.lane.stats().dataFramesSent
        + producer.lane.stats().demandsSent
        + consumer.lane.stats().creditsSent;
  }

  private static void stream(Side producer, Side consumer, SendFlow out, int rounds)
      throws MalformedFrameException {
    for (int round = 0; round < rounds; round++) {
      // Now and then more than the window has room for, so that the sender must ask.
      producer.committed += round % 10 == 0 ? 300 : 7;
      producer.lane.committed(out);
      do {
        exchange(producer, consumer);
        consumer.lane.consumed(consumer.in, consumer.received);
        consumer.lane.taken(consumer.in, consumer.received);
      } while (producer.lane.hasOutput() || consumer.lane.hasOutput());
    }
  }

  private static void exchange(Side one, Side other) throws MalformedFrameException {
    while (one.lane.hasOutput() || other.lane.hasOutput()) {
      one.writeTo(other);
      other.writeTo(one);
    }
  }

  /** A node with one channel, whose records are all alike. */
  private static final class Side
      implements LanePort, FrameSink, RecordSource, SendListener, ReceiveListener, CreditPool {
    private final Lane lane;
    private final FrameEncoder encoder = new SbeWireCodec().newEncoder();
    private final FrameDecoder decoder = new SbeWireCodec().newDecoder();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
    private final CreditBudget budget = new CreditBudget(64 * 1024, 8);
    private Admission admission = Admission.WAIT;
    private ReceiveFlow in;
    private long committed;
    private long received;

    Side(boolean dialer) {
      LaneConfig config =
          new LaneConfig(
              dialer,
              SECOND,
              3 * SECOND,
              60 * SECOND,
              SECOND,
              100,
              100,
              16 * 1024,
              64 * 1024 - WireLimits.MAX_HEADER_BYTES);
      lane = new Lane(config, this, 0);
    }

    Binding.Send sender() {
      return new Binding.Send(this, this);
    }

    Binding.Receive receiver() {
      return new Binding.Receive(budget.register(this, share -> {}, 16 * 1024), this);
    }

    void attached(Flow flow) {
      in = (ReceiveFlow) flow;
    }

    void writeTo(Side peer) throws MalformedFrameException {
      buffer.clear();
      encoder.bind(buffer);
      lane.write(this, 0);
      int end = buffer.position();
      for (int index = 0; index < end; ) {
        int length = (int) Sofh.frameLength(buffer, index);
        peer.decoder.decode(buffer, index, length, peer.lane.inbound());
        index += length;
      }
    }

    // --- FrameSink

    @Override
    public Frames frames() {
      return encoder;
    }

    @Override
    public boolean hasRoom() {
      return buffer.remaining() > 128 * 1024;
    }

    @Override
    public void payload(RecordSource source, long position, int length) {
      buffer.position(buffer.position() + length);
    }

    // --- RecordSource

    @Override
    public long committedPosition() {
      return committed * RECORD;
    }

    @Override
    public long committedSequence() {
      return committed;
    }

    @Override
    public boolean cut(long position, int maxLength, int pieceLength, FrameCut cut) {
      cut.messages = (int) (Math.min(maxLength, committedPosition() - position) / RECORD);
      cut.length = cut.messages * RECORD;
      cut.flags = 0;
      cut.crc = 0;
      return cut.messages > 0;
    }

    @Override
    public void acknowledged(long position) {}

    @Override
    public void release() {}

    // --- Gates

    @Override
    public void onOpened(SendFlow flow) {}

    @Override
    public void onTerminated(SendFlow flow, Outcome outcome, ErrorCode code, String text) {
      throw new AssertionError(text);
    }

    @Override
    public void onOpened(ReceiveFlow flow) {}

    @Override
    public void onData(
        ReceiveFlow flow,
        long position,
        long sequence,
        int messages,
        int flags,
        int length,
        int payloadCrc) {
      received += length;
    }

    @Override
    public void onEnd(ReceiveFlow flow) {}

    @Override
    public void onTerminated(ReceiveFlow flow, Outcome outcome, ErrorCode code, String text) {
      throw new AssertionError(text);
    }

    // --- CreditPool

    @Override
    public long take(CreditShare share, long want) {
      return budget.take(share, want);
    }

    @Override
    public void give(long bytes) {
      budget.give(bytes);
    }

    @Override
    public void unregister(CreditShare share) {
      budget.unregister(share);
    }

    // --- LanePort

    @Override
    public void connect(int epoch) {}

    @Override
    public double jitter() {
      return 0;
    }

    @Override
    public void disconnect(boolean afterWriting, ErrorCode code, String text) {
      throw new AssertionError(text);
    }

    @Override
    public void up() {}

    @Override
    public void dead(ErrorCode code, String text) {
      throw new AssertionError(text);
    }

    @Override
    public void peerDraining() {}

    @Override
    public Admission admit(int number, Role role, ChannelKey key) {
      return admission;
    }

    @Override
    public void stoppedWaiting(int number, Role role, ChannelKey key) {}

    @Override
    public void forgotten(Flow flow) {}
  }
}

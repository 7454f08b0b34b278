package dev.penstock.transport.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Role;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two lanes, each the other's frame sink: no codec, no network, no threads. */
class LanePairTest {
  private static final ChannelKey KEY = new ChannelKey(7, 1, 2, 0);

  /** Records of 100 bytes each. */
  private static class Records implements RecordSource {
    static final int LENGTH = 100;
    long committed;
    long acknowledged;
    boolean released;

    @Override
    public long committedPosition() {
      return committed * LENGTH;
    }

    @Override
    public long committedSequence() {
      return committed;
    }

    @Override
    public boolean cut(long position, int maxLength, int pieceLength, FrameCut cut) {
      long whole = Math.min(maxLength, committedPosition() - position) / LENGTH;
      cut.length = (int) whole * LENGTH;
      cut.messages = (int) whole;
      cut.flags = 0;
      cut.crc = 0;
      return whole > 0;
    }

    @Override
    public void acknowledged(long position) {
      acknowledged = position;
    }

    @Override
    public void release() {
      released = true;
    }
  }

  /** Records that a writer on another thread adds to while the lane looks. */
  private static final class RacingRecords extends Records {
    int looksBeforeCommit = -1;
    boolean idle;
    boolean attention;
    private long cutTo;

    @Override
    public long committedPosition() {
      long position = super.committedPosition();
      if (looksBeforeCommit >= 0 && looksBeforeCommit-- == 0) {
        commit();
      }
      return position;
    }

    void commit() {
      committed++;
      attention |= idle;
      idle = false;
    }

    @Override
    public boolean cut(long position, int maxLength, int pieceLength, FrameCut cut) {
      boolean taken = super.cut(position, maxLength, pieceLength, cut);
      cutTo = position + cut.length;
      return taken;
    }

    @Override
    public boolean tryIdle() {
      idle = committed * LENGTH == cutTo;
      return idle;
    }
  }

  private static final class Node implements LanePort, SendListener, ReceiveListener, CreditPool {
    final List<String> events = new ArrayList<>();
    final CreditBudget budget = new CreditBudget(1 << 20, 64);
    final Lane lane;
    Binding gate;
    Flow answered;
    long received;
    long receivedMessages;

    Node(boolean dialer) {
      lane =
          new Lane(
              new LaneConfig(dialer, 2_000, 6_000, 60_000, 30_000, 100, 100, 65_536, 65_536),
              this,
              0);
    }

    Binding.Receive receiver() {
      return new Binding.Receive(budget.register(this, share -> {}, 1 << 18), this);
    }

    @Override
    public void connect(int epoch) {
      events.add("connect " + epoch);
    }

    @Override
    public double jitter() {
      return 0;
    }

    @Override
    public void disconnect(boolean afterWriting, ErrorCode code, String text) {
      events.add("disconnect " + code);
    }

    @Override
    public void up() {
      events.add("up");
    }

    @Override
    public void dead(ErrorCode code, String text) {
      events.add("dead " + code);
    }

    @Override
    public void peerDraining() {
      events.add("draining");
    }

    @Override
    public Admission admit(int number, Role role, ChannelKey key) {
      return gate == null ? Admission.WAIT : new Admission.Accept(gate, flow -> answered = flow);
    }

    @Override
    public void stoppedWaiting(int number, Role role, ChannelKey key) {}

    @Override
    public void forgotten(Flow flow) {}

    @Override
    public void onOpened(SendFlow flow) {}

    @Override
    public void onTerminated(SendFlow flow, Outcome outcome, ErrorCode code, String text) {
      events.add("sender " + outcome + " " + code);
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
        int crc) {
      received += length;
      receivedMessages += messages;
    }

    @Override
    public void onEnd(ReceiveFlow flow) {
      events.add("end");
    }

    @Override
    public void onTerminated(ReceiveFlow flow, Outcome outcome, ErrorCode code, String text) {
      events.add("receiver " + outcome + " " + code);
    }

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
  }

  private final Node consumer = new Node(true);
  private final Node producer = new Node(false);
  private long now;

  private void connect() {
    consumer.lane.connected(1 << 16, 100, 2_000, now);
    producer.lane.connected(1 << 16, 100, 2_000, now);
  }

  private void exchange() {
    while (consumer.lane.hasOutput() || producer.lane.hasOutput()) {
      now++;
      consumer.lane.bytesRead(now);
      producer.lane.bytesRead(now);
      consumer.lane.write(sink(producer), now);
      producer.lane.write(sink(consumer), now);
    }
  }

  private static FrameSink sink(Node peer) {
    return new FrameSink() {
      @Override
      public Frames frames() {
        return peer.lane.inbound();
      }

      @Override
      public boolean hasRoom() {
        return true;
      }

      @Override
      public void payload(RecordSource source, long position, int length) {}
    };
  }

  @Test
  void shouldStreamThroughCreditAndFinishWhenTheLastRecordIsTaken() {
    Records records = new Records();
    producer.gate = new Binding.Send(records, producer);
    connect();
    ReceiveFlow in = consumer.lane.openReceive(KEY, consumer.receiver(), now + 1_000);
    exchange();
    SendFlow out = (SendFlow) producer.answered;
    for (int round = 0; round < 500; round++) {
      records.committed += 1_000;
      producer.lane.committed(out);
      exchange();
      consumer.lane.consumed(in, consumer.received);
      consumer.lane.taken(in, consumer.received);
      exchange();
    }
    producer.lane.finish(out, Lane.NEVER);
    for (int i = 0; i < 10_000 && out.state() != SendFlow.State.DONE; i++) {
      exchange();
      consumer.lane.consumed(in, consumer.received);
      consumer.lane.taken(in, consumer.received);
    }
    assertThat(consumer.receivedMessages).isEqualTo(500_000);
    assertThat(records.acknowledged).isEqualTo(50_000_000);
    assertThat(records.released).isTrue();
    assertThat(consumer.events).containsExactly("up", "end", "receiver FINISHED null");
    assertThat(producer.events).containsExactly("up", "sender FINISHED null");
    exchange();
    assertThat(consumer.lane.channels() + producer.lane.channels()).isZero();
    assertThat(consumer.budget.floated() + consumer.budget.reserved()).isZero();
  }

  @Test
  void shouldResumeWhereTheReceiverStandsAfterTheConnectionBreaks() {
    Records records = new Records();
    producer.gate = new Binding.Send(records, producer);
    connect();
    ReceiveFlow in = consumer.lane.openReceive(KEY, consumer.receiver(), now + 1_000);
    exchange();
    SendFlow out = (SendFlow) producer.answered;
    records.committed = 200;
    producer.lane.committed(out);
    producer.lane.write(
        new FrameSink() {
          @Override
          public Frames frames() {
            return new LostFrames();
          }

          @Override
          public boolean hasRoom() {
            return true;
          }

          @Override
          public void payload(RecordSource source, long position, int length) {}
        },
        now);
    assertThat(out.sent()).isPositive();
    consumer.lane.disconnected(now);
    producer.lane.disconnected(now);
    connect();
    exchange();
    for (int i = 0; i < 100; i++) {
      consumer.lane.consumed(in, consumer.received);
      exchange();
    }
    assertThat(consumer.receivedMessages).isEqualTo(200);
    assertThat(producer.lane.stats().retransmittedFrames).isPositive();
    assertThat(producer.lane.stats().resumes).isEqualTo(1);
  }

  @Test
  void shouldSendWhatIsCommittedAtAnyMomentOfATurn() {
    RacingRecords records = new RacingRecords();
    producer.gate = new Binding.Send(records, producer);
    connect();
    consumer.lane.openReceive(KEY, consumer.receiver(), now + 1_000);
    exchange();
    SendFlow out = (SendFlow) producer.answered;
    for (int looks = 0; looks < 20; looks++) {
      records.commit();
      records.looksBeforeCommit = looks;
      records.attention = false;
      producer.lane.committed(out);
      exchange();
      if (records.attention) {
        producer.lane.committed(out);
        exchange();
      }
      records.looksBeforeCommit = -1;
      assertThat(consumer.receivedMessages)
          .as("a commit after %d looks", looks)
          .isEqualTo(records.committed);
    }
  }
}

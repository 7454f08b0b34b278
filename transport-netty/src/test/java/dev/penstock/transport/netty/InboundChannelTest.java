package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Record;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InboundChannelTest {
  private static final int TINY = 100;
  private static final int LARGE = 5000;

  private final InboundFixture fixture = new InboundFixture();
  private final InboundQueue queue = fixture.queue();
  private final InboundChannel channel = fixture.incoming.open(1, queue);
  private final Outgoing sender = fixture.sender(1);
  private final Collected collected = fixture.collected;
  private final Random random = new Random(42);

  @AfterEach
  void nothingIsLeft() {
    fixture.close();
  }

  @Test
  void shouldLeaveLargePayloadsInTheReceiveBufferUntilTheyAreConsumed() {
    byte[] body = Outgoing.random(random, LARGE);
    sender.frame(body);
    fixture.flush();

    assertThat(fixture.memory.pinnedBytes()).isEqualTo(fixture.incoming.buffer.chunk().capacity());
    assertThat(queue.copied()).hasValue(0);
    assertThat(channel.consumed()).isZero();

    assertThat(queue.poll(collected, 10)).isEqualTo(1);
    assertThat(collected.of(1)).containsExactly(body);
    assertThat(fixture.memory.pinnedBytes()).isZero();
    assertThat(channel.consumed()).isEqualTo(sender.position());
    assertThat(channel.taken()).isEqualTo(sender.position());
  }

  @Test
  void shouldCopyTinyPayloadsBehindEachOtherWithoutPinningTheReceiveBuffer() {
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      bodies.add(Outgoing.random(random, i % 17));
      sender.frame(bodies.get(i));
      fixture.flush();
    }

    assertThat(fixture.memory.pinnedBytes()).isZero();
    // Sixteen thousand bytes in a thousand frames: few buffers, little slack.
    assertThat(queue.copied().get()).isBetween(sender.position(), 2 * sender.position() + 1024);
    assertThat(fixture.activeBuffers()).isLessThan(12);

    assertThat(queue.poll(collected, 5000)).isEqualTo(1000);
    assertThat(collected.of(1)).containsExactlyElementsOf(bodies);
    assertThat(queue.copied()).hasValue(0);
    assertThat(channel.consumed()).isEqualTo(sender.position());
  }

  @Test
  void shouldAppendTinyPayloadsToAFrameThatTheConsumerIsReading() {
    sender.frame(new byte[] {1}, new byte[] {2});
    fixture.flush();
    assertThat(queue.poll(collected, 1)).isEqualTo(1);
    sender.frame(new byte[] {3});
    fixture.flush();
    assertThat(queue.poll(collected, 10)).isEqualTo(2);
    assertThat(collected.of(1)).containsExactly(new byte[] {1}, new byte[] {2}, new byte[] {3});
    assertThat(channel.taken()).isEqualTo(sender.position());
  }

  @ParameterizedTest
  @ValueSource(ints = {TINY, LARGE})
  void shouldFailOnlyTheChannelWhosePayloadDoesNotMatchItsChecksum(int length) {
    InboundChannel other = fixture.incoming.open(2, queue);
    Outgoing otherSender = fixture.sender(2);
    byte[] first = Outgoing.random(random, length);
    sender.frame(first);
    byte[] payload = Outgoing.record(Record.MESSAGE, Outgoing.random(random, length));
    sender.data(payload, 1, 0, Outgoing.crc(payload) + 1);
    sender.frame(Outgoing.random(random, length));
    otherSender.frame(first);
    fixture.flush();

    queue.poll(collected, 10);
    fixture.runLoop();

    assertThat(collected.of(2)).containsExactly(first);
    assertThat(other.fault()).isNull();
    assertThat(collected.of(1).size()).isLessThanOrEqualTo(1);
    assertThat(channel.fault().code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
    assertThat(channel.fault().text()).contains("position " + (4 + length));
    assertThat(fixture.incoming.attention).contains(channel);
    assertThat(fixture.memory.pinnedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {TINY, LARGE})
  void shouldRefusePayloadsWhoseRecordsDoNotFit(int length) {
    byte[] good = Outgoing.record(Record.MESSAGE, new byte[length]);
    byte[] overlong = good.clone();
    overlong[0]++;
    byte[] strange = good.clone();
    strange[3] |= (byte) 0x80;
    List<byte[]> payloads =
        List.of(good, overlong, strange, Arrays.copyOf(good, good.length + 3), new byte[] {1});
    int number = 10;
    for (byte[] payload : payloads) {
      InboundChannel victim = fixture.incoming.open(number, queue);
      int messages = payload == good ? 2 : 1;
      fixture.sender(number).data(payload, messages, 0);
      fixture.flush();
      queue.poll(collected, 10);
      fixture.runLoop();
      assertThat(victim.fault().code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
      number++;
    }
    assertThat(fixture.memory.pinnedBytes()).isZero();
  }

  @Test
  void shouldRefuseMessagesBeyondTheMaximumAndNameSizeAndLimit() {
    InboundQueue strict = new InboundQueue(3000, null);
    InboundChannel whole = fixture.incoming.open(3, strict);
    InboundChannel pieces = fixture.incoming.open(4, strict);
    fixture.sender(3).frame(new byte[3001]);
    fixture.sender(4).pieces(new byte[10_000], 2000);
    fixture.flush();
    strict.poll(collected, 10);

    assertThat(whole.fault().code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(whole.fault().text()).contains("3001", "3000");
    assertThat(pieces.fault().code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(pieces.fault().text()).contains("10000", "3000");
    assertThat(collected.records).isEmpty();
  }

  @Test
  void shouldRefusePiecesThatDoNotContinueTheMessage() {
    byte[] record = Outgoing.record(Record.MESSAGE, new byte[5000]);
    byte[] begin = Arrays.copyOf(record, 2000);
    refuse(5, begin, 0, Frames.PIECE | Frames.LAST_PIECE);
    refuse(6, record, 1, Frames.PIECE);
    refuse(7, Arrays.copyOf(record, 6000), 0, Frames.PIECE);
    refuse(8, new byte[] {1, 2, 3}, 0, Frames.PIECE);
    refuse(9, begin, 1, Frames.PIECE);

    Outgoing interrupted = fixture.sender(10);
    InboundChannel victim = fixture.incoming.open(10, queue);
    interrupted.data(begin, 0, Frames.PIECE);
    interrupted.frame(new byte[10]);
    fixture.flush();
    queue.poll(collected, 10);
    assertThat(victim.fault().code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
    assertThat(victim.taken()).isZero();
  }

  private void refuse(int number, byte[] payload, int messages, int flags) {
    InboundChannel victim = fixture.incoming.open(number, queue);
    fixture.sender(number).data(payload, messages, flags);
    fixture.flush();
    queue.poll(collected, 10);
    assertThat(victim.fault()).as("channel %d", number).isNotNull();
    assertThat(victim.fault().code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void shouldNotCallTheLastMessageTakenBeforeItsLastPiece() {
    byte[] body = Outgoing.random(random, 9000);
    sender.frame(new byte[10]);
    long before = sender.position();
    byte[] record = Outgoing.record(Record.MESSAGE, body);
    sender.data(Arrays.copyOf(record, 4000), 0, Frames.PIECE);
    fixture.flush();
    queue.poll(collected, 10);
    assertThat(channel.consumed()).isEqualTo(sender.position());
    assertThat(channel.taken()).isEqualTo(before);
    assertThat(channel.finishAt(sender.position())).isFalse();
    assertThat(channel.fault().code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void shouldTellTheEndBehindTheDataAndTheLaneWhenEverythingIsTaken() {
    sender.frame(new byte[LARGE], new byte[TINY]);
    fixture.flush();
    assertThat(channel.finishAt(sender.position())).isFalse();
    queue.poll(collected, 1);
    fixture.runLoop();
    assertThat(fixture.incoming.attention).isEmpty();

    queue.poll(collected, 1);
    fixture.runLoop();
    assertThat(fixture.incoming.attention).containsExactly(channel);
    assertThat(channel.taken()).isEqualTo(sender.position());

    channel.end(Ending.FINISHED, false);
    assertThat(channel.drained()).isFalse();
    queue.poll(collected, 1);
    assertThat(collected.endings).containsEntry(1, Ending.FINISHED);
    assertThat(channel.drained()).isTrue();
  }

  @Test
  void shouldSayAtOnceWhatHasAlreadyBeenTakenOrGivenBack() {
    sender.frame(new byte[LARGE]);
    fixture.flush();
    assertThat(channel.notifyAt(1)).isFalse();
    queue.poll(collected, 10);
    assertThat(channel.notifyAt(sender.position())).isTrue();
    assertThat(channel.notifyAt(sender.position() + 1)).isFalse();
    assertThat(channel.finishAt(sender.position())).isTrue();
  }

  @Test
  void shouldWakeTheLaneOnceForManyChannelsThatReachedTheirMark() {
    List<InboundChannel> channels = new ArrayList<>();
    for (int i = 100; i < 200; i++) {
      InboundChannel opened = fixture.incoming.open(i, queue);
      opened.notifyAt(i % 2 == 0 ? LARGE : 10 * LARGE);
      channels.add(opened);
      fixture.sender(i).frame(new byte[LARGE]);
    }
    fixture.flush();
    queue.poll(collected, 1000);
    assertThat(fixture.loopTasks).hasSize(1);
    fixture.runLoop();
    channels.removeIf(each -> (int) each.attachment() % 2 != 0);
    assertThat(fixture.incoming.attention).containsExactlyInAnyOrderElementsOf(channels);
  }

  @Test
  void shouldGiveMemoryOfADroppedChannelBackThoughNobodyPolls() {
    sender.frame(new byte[LARGE]);
    sender.frame(new byte[TINY]);
    fixture.flush();
    channel.end(new Ending(ErrorCode.CANCELLED, "aborted"), true);

    assertThat(channel.drained()).isTrue();
    assertThat(fixture.memory.pinnedBytes()).isZero();
    assertThat(queue.copied()).hasValue(0);
    sender.frame(new byte[LARGE]);
    fixture.flush();
    assertThat(fixture.memory.pinnedBytes()).isZero();

    assertThat(queue.poll(collected, 10)).isZero();
    assertThat(collected.records).isEmpty();
    assertThat(collected.endings.get(1).code()).isEqualTo(ErrorCode.CANCELLED);
  }

  @ParameterizedTest
  @ValueSource(ints = {TINY, LARGE})
  void shouldNeverTellAGoodEndWhenDamagedRecordsWereThrownAway(int length) {
    byte[] payload = Outgoing.record(Record.MESSAGE, Outgoing.random(random, length));
    sender.frame(new byte[LARGE]);
    sender.data(payload, 1, 0, Outgoing.crc(payload) ^ 1);
    fixture.flush();
    channel.finishAt(sender.position());
    channel.end(Ending.FINISHED, false);
    queue.poll(collected, 10);
    assertThat(collected.endings.get(1).code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
    assertThat(channel.taken()).isLessThan(sender.position());
  }

  @Test
  void shouldStillDropWhatIsQueuedAfterTheSenderHasFinished() {
    sender.frame(new byte[LARGE], new byte[LARGE]);
    fixture.flush();
    channel.end(Ending.FINISHED, false);
    queue.poll(collected, 1);
    channel.end(new Ending(ErrorCode.STOPPED, "enough"), true);
    assertThat(fixture.memory.pinnedBytes()).isZero();
    assertThat(queue.poll(collected, 10)).isZero();
    assertThat(collected.of(1)).hasSize(1);
    assertThat(collected.endings.get(1).code()).isEqualTo(ErrorCode.STOPPED);
    channel.end(new Ending(ErrorCode.SESSION_LOST, "too late"), true);
    assertThat(queue.poll(collected, 10)).isZero();
  }

  @Test
  void shouldDropAChannelThatEndsWhileItsRecordsAreHandedOut() {
    sender.frame(new byte[LARGE], new byte[LARGE]);
    sender.frame(new byte[TINY]);
    fixture.flush();
    RecordHandler ender =
        new ForwardingHandler(collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            of.end(new Ending(ErrorCode.SESSION_LOST, "gone"), true);
            return super.onRecord(of, kind, sequence, bytes);
          }
        };
    queue.poll(ender, 1);
    assertThat(fixture.memory.pinnedBytes()).isZero();
    assertThat(queue.copied()).hasValue(0);
    assertThat(channel.drained()).isTrue();
    queue.poll(collected, 10);
    assertThat(collected.of(1)).hasSize(1);
    assertThat(collected.endings.get(1).code()).isEqualTo(ErrorCode.SESSION_LOST);
  }

  @Test
  void shouldThrowAwayWhatComesOnceTheConsumerWantsNothingMore() {
    sender.frame(new byte[LARGE], new byte[LARGE], new byte[LARGE]);
    fixture.flush();
    RecordHandler stopper =
        new ForwardingHandler(collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            of.discard();
            return super.onRecord(of, kind, sequence, bytes);
          }
        };
    assertThat(queue.poll(stopper, 10)).isEqualTo(1);
    sender.frame(new byte[LARGE]);
    fixture.flush();
    assertThat(queue.poll(collected, 10)).isZero();
    assertThat(fixture.memory.pinnedBytes()).isZero();
  }

  @Test
  void shouldCountARecordAsTakenWhenTheHandlerThrowsAndGoOnBehindIt() {
    sender.frame(new byte[] {1}, new byte[] {2});
    sender.frame(new byte[LARGE]);
    fixture.flush();
    IllegalStateException thrown = new IllegalStateException("handler");
    RecordHandler failing =
        new ForwardingHandler(collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            super.onRecord(of, kind, sequence, bytes);
            throw thrown;
          }
        };
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> queue.poll(failing, 10)).isSameAs(thrown);
    }
    assertThat(collected.of(1)).hasSize(3);
    assertThat(queue.poll(collected, 10)).isZero();
    assertThat(channel.taken()).isEqualTo(sender.position());
    assertThat(fixture.memory.pinnedBytes()).isZero();
  }

  @Test
  void shouldPauseWhenTheHandlerSaysSo() {
    sender.frame(new byte[LARGE], new byte[LARGE]);
    fixture.flush();
    RecordHandler pausing =
        new ForwardingHandler(collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            super.onRecord(of, kind, sequence, bytes);
            return false;
          }
        };
    assertThat(queue.poll(pausing, 10)).isEqualTo(1);
    assertThat(queue.poll(pausing, 10)).isEqualTo(1);
    assertThat(queue.poll(pausing, 10)).isZero();
  }

  @Test
  void shouldTakeAnEmptyPayloadForNothing() {
    sender.data(new byte[0], 0, 0);
    fixture.flush();
    assertThat(queue.poll(collected, 10)).isZero();
    assertThat(fixture.activeBuffers()).isEqualTo(1);
  }

  @Test
  void shouldCopyWhatComesAboveTheAllowance() {
    try (InboundFixture small = new InboundFixture(100_000)) {
      InboundQueue target = small.queue();
      List<byte[]> bodies = new ArrayList<>();
      small.incoming.open(1, target);
      Outgoing outgoing = small.sender(1);
      for (int i = 0; i < 60; i++) {
        bodies.add(Outgoing.random(random, LARGE));
        outgoing.frame(bodies.get(i));
        small.flush();
        assertThat(small.memory.pinnedBytes()).isLessThanOrEqualTo(100_000);
        assertThat(small.memory.bufferBytes()).isLessThanOrEqualTo(100_000 + 2 * 64 * 1024);
      }
      assertThat(target.copied().get()).isPositive();
      target.poll(small.collected, 100);
      assertThat(small.collected.of(1)).containsExactlyElementsOf(bodies);
    }
  }

  @Test
  void shouldNotLetAStalledConsumerPinEveryBufferThatOthersFill() {
    InboundQueue other = fixture.queue();
    InboundChannel busy = fixture.incoming.open(2, other);
    Outgoing busySender = fixture.sender(2);
    RecordHandler ignoring =
        new ForwardingHandler(collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            return true;
          }
        };
    for (int i = 0; i < 12000; i++) {
      busySender.frame(new byte[LARGE]);
      if (i % 20 == 0) {
        sender.frame(new byte[LARGE]);
      }
      fixture.flush();
      other.poll(ignoring, 10);
    }
    assertThat(busy.fault()).isNull();
    assertThat(busy.consumed()).isEqualTo(busySender.position());
    // Half the allowance and what was under way, not all of it.
    assertThat(fixture.memory.pinnedBytes())
        .isPositive()
        .isLessThanOrEqualTo((8 << 20) + (4 << 20));
    assertThat(queue.copied().get()).isPositive();
    queue.poll(collected, 1000);
    assertThat(collected.of(1)).hasSize(600);
  }
}

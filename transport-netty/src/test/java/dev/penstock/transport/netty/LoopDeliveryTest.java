package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopDeliveryTest {
  private final InboundFixture fixture = new InboundFixture();
  private final Collected collected = fixture.collected;
  private final Random random = new Random(7);

  @AfterEach
  void nothingIsLeft() {
    fixture.close();
  }

  @Test
  void shouldHandOutOnTheLoopWithoutCopyAndWithoutQueue() {
    LoopDelivery delivery = fixture.loopDelivery(collected, null);
    InboundChannel channel = fixture.incoming.open(1, delivery);
    Outgoing sender = fixture.sender(1);
    byte[] tiny = Outgoing.random(random, 10);
    byte[] large = Outgoing.random(random, 20_000);
    sender.frame(tiny);
    sender.frame(large, tiny);
    sender.pieces(large, 3000);
    fixture.flush();
    collected.assertEqualTo(1, List.of(tiny, large, tiny, large));
    assertThat(channel.consumed()).isEqualTo(sender.position());
    assertThat(delivery.copied()).hasValue(0);
    assertThat(fixture.memory.pinnedBytes()).isZero();
    channel.end(Ending.FINISHED, false);
    assertThat(collected.endings).containsEntry(1, Ending.FINISHED);
  }

  @Test
  void shouldFailTheChannelWhoseHandlerThrowsAndServeTheOthers() {
    RecordHandler failing =
        new ForwardingHandler(collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            if (of.attachment().equals(1)) {
              throw new IllegalStateException("broken");
            }
            return super.onRecord(of, kind, sequence, bytes);
          }
        };
    LoopDelivery delivery = fixture.loopDelivery(failing, null);
    InboundChannel victim = fixture.incoming.open(1, delivery);
    fixture.incoming.open(2, delivery);
    fixture.sender(1).frame(new byte[10], new byte[10]);
    fixture.sender(2).frame(new byte[10]);
    fixture.flush();
    assertThat(victim.fault().code()).isEqualTo(ErrorCode.APPLICATION_ERROR);
    assertThat(victim.fault().text()).contains("broken");
    assertThat(victim.fault().cause()).isInstanceOf(IllegalStateException.class);
    assertThat(collected.of(2)).hasSize(1);
  }

  @Test
  void shouldCheckPayloadsOnTheLoop() {
    LoopDelivery delivery = fixture.loopDelivery(collected, null);
    InboundChannel victim = fixture.incoming.open(1, delivery);
    byte[] payload = new byte[3000];
    fixture.sender(1).data(payload, 1, 0, Outgoing.crc(payload) ^ 1);
    fixture.flush();
    assertThat(victim.fault().code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
    assertThat(collected.size()).isZero();
  }

  @Test
  void shouldQueueBehindAMessageThatWaitsForAssemblyMemory() {
    Assembler assembler = fixture.assembler(32 * 1024);
    LoopDelivery delivery = fixture.loopDelivery(collected, assembler);
    InboundChannel holder = fixture.incoming.open(1, delivery);
    InboundChannel waiter = fixture.incoming.open(2, delivery);
    byte[] large = Outgoing.random(random, 30_000);
    byte[] tiny = Outgoing.random(random, 10);
    byte[] first = new byte[3000];
    first[1] = 0x75;
    first[0] = 0x30;
    fixture.sender(1).data(first, 0, dev.penstock.transport.wire.Frames.PIECE);
    Outgoing sender = fixture.sender(2);
    sender.pieces(large, 8000);
    sender.frame(tiny);
    fixture.flush();
    assertThat(collected.size()).isZero();
    assertThat(assembler.waiting()).isEqualTo(1);
    assertThat(waiter.consumed()).isZero();

    holder.end(new Ending(ErrorCode.CANCELLED, ""), true);
    fixture.runLoop();
    collected.assertEqualTo(2, List.of(large, tiny));
    assertThat(waiter.taken()).isEqualTo(sender.position());
  }

  @Test
  void shouldLetAHandlerEndItsOwnChannel() {
    RecordHandler ender =
        new ForwardingHandler(collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            of.end(new Ending(ErrorCode.STOPPED, "enough"), true);
            return super.onRecord(of, kind, sequence, bytes);
          }
        };
    LoopDelivery delivery = fixture.loopDelivery(ender, null);
    InboundChannel channel = fixture.incoming.open(1, delivery);
    fixture.sender(1).frame(new byte[2000], new byte[2000]);
    fixture.flush();
    fixture.runLoop();
    assertThat(collected.of(1)).hasSize(1);
    assertThat(collected.endings.get(1).code()).isEqualTo(ErrorCode.STOPPED);
    assertThat(channel.drained()).isTrue();
  }
}

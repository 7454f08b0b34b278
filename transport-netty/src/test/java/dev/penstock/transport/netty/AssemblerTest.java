package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Sofh;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AssemblerTest {
  private static final int BUDGET = 64 * 1024;
  private static final int PIECE = 4000;

  private final InboundFixture fixture = new InboundFixture();
  private final Assembler assembler = fixture.assembler(BUDGET);
  private final InboundQueue queue = fixture.queue(assembler);
  private final Collected collected = fixture.collected;
  private final Random random = new Random(7);

  @AfterEach
  void nothingIsLeft() {
    fixture.close();
  }

  /** Sends the first pieces of a message; the rest of it comes with {@code fixture.flush()}. */
  private byte[] begin(int number, int length) {
    byte[] body = Outgoing.random(random, length);
    fixture.incoming.open(number, queue);
    fixture.sender(number).pieces(body, PIECE);
    byte[] bytes = fixture.wire.toByteArray();
    fixture.wire.reset();
    int first = (int) Sofh.frameLength(ByteBuffer.wrap(bytes), 0);
    fixture.wire.write(bytes, 0, first);
    fixture.flush();
    fixture.wire.write(bytes, first, bytes.length - first);
    return body;
  }

  private void pollAll() {
    while (queue.poll(collected, 100) > 0) {
      // Until nothing is left.
    }
  }

  @Test
  void shouldHandOutALargeMessageAsOne() {
    byte[] body = begin(1, 20_000);
    pollAll();
    assertThat(assembler.reserved()).isEqualTo(ReceiveMemory.allocatedSize(20_000));
    assertThat(fixture.memory.pinnedBytes()).isZero();
    assertThat(fixture.incoming.channels.get(1).taken()).isZero();
    assertThat(fixture.incoming.channels.get(1).consumed()).isEqualTo(PIECE);
    fixture.flush();
    pollAll();
    assertThat(collected.of(1)).containsExactly(body);
    assertThat(fixture.incoming.channels.get(1).taken()).isEqualTo(20_004);
    assertThat(assembler.reserved()).isZero();
  }

  @Test
  void shouldReserveInOrderSoThatWhatBeganCanEnd() {
    byte[] first = begin(1, 40_000);
    byte[] firstRest = rest();
    byte[] second = begin(2, 40_000);
    byte[] secondRest = rest();
    byte[] third = begin(3, 10_000);
    byte[] thirdRest = rest();
    pollAll();
    // The third would fit, but the second came before.
    assertThat(assembler.waiting()).isEqualTo(2);

    deliver(secondRest);
    deliver(thirdRest);
    pollAll();
    assertThat(collected.size()).isZero();
    assertThat(fixture.incoming.channels.get(2).consumed()).isZero();

    deliver(firstRest);
    pollAll();
    collected.assertEqualTo(1, List.of(first));
    collected.assertEqualTo(2, List.of(second));
    collected.assertEqualTo(3, List.of(third));
    assertThat(assembler.waiting()).isZero();
  }

  private byte[] rest() {
    byte[] rest = fixture.wire.toByteArray();
    fixture.wire.reset();
    return rest;
  }

  private void deliver(byte[] bytes) {
    fixture.wire.writeBytes(bytes);
    fixture.flush();
  }

  @Test
  void shouldRefuseAMessageThatCanNeverBeAssembled() {
    begin(1, BUDGET + 1);
    pollAll();
    InboundFault fault = fixture.incoming.channels.get(1).fault();
    assertThat(fault.code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(fault.text()).contains(String.valueOf(BUDGET + 1), String.valueOf(BUDGET));
    assertThat(assembler.waiting()).isZero();
  }

  @Test
  void shouldGiveTheReservationOfADroppedChannelToTheNext() {
    begin(1, 40_000);
    fixture.wire.reset();
    byte[] second = begin(2, 40_000);
    pollAll();
    fixture.flush();
    assertThat(assembler.waiting()).isEqualTo(1);
    fixture.incoming.channels.get(1).end(new Ending(ErrorCode.CANCELLED, ""), true);
    pollAll();
    collected.assertEqualTo(2, List.of(second));
  }

  @Test
  void shouldGiveAHalfAssembledMessageBackWhenTheChannelFailsBehindIt() {
    begin(1, 40_000);
    fixture.wire.reset();
    begin(2, 40_000);
    pollAll();
    InboundChannel half = fixture.incoming.channels.get(1);
    half.end(new Ending(ErrorCode.SESSION_LOST, ""), false);
    pollAll();
    assertThat(half.drained()).isTrue();
    assertThat(collected.endings.get(1).code()).isEqualTo(ErrorCode.SESSION_LOST);
    assertThat(assembler.waiting()).isZero();
    assertThat(assembler.reserved()).isEqualTo(ReceiveMemory.allocatedSize(40_000));
  }

  @Test
  void shouldForgetAWaitingChannelThatIsDropped() {
    begin(1, 40_000);
    fixture.wire.reset();
    begin(2, 40_000);
    fixture.wire.reset();
    pollAll();
    fixture.incoming.channels.get(2).end(new Ending(ErrorCode.CANCELLED, ""), true);
    assertThat(assembler.waiting()).isZero();
    assertThat(assembler.reserved()).isEqualTo(ReceiveMemory.allocatedSize(40_000));
  }

  @Test
  void shouldGiveTheReservationBackWhenTheHandlerThrows() {
    byte[] body = begin(1, 20_000);
    fixture.flush();
    List<byte[]> seen = new ArrayList<>();
    RecordHandler failing =
        new ForwardingHandler(collected) {
          @Override
          public boolean onRecord(InboundChannel of, int kind, long sequence, ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            seen.add(copy);
            throw new IllegalStateException("handler");
          }
        };
    boolean thrown = false;
    try {
      queue.poll(failing, 10);
    } catch (IllegalStateException e) {
      thrown = true;
    }
    assertThat(thrown).isTrue();
    assertThat(seen).containsExactly(body);
    assertThat(assembler.reserved()).isZero();
    assertThat(queue.poll(failing, 10)).isZero();
    assertThat(fixture.incoming.channels.get(1).taken()).isEqualTo(20_004);
  }
}

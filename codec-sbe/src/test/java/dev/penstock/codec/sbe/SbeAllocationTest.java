package dev.penstock.codec.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.testkit.Allocations;
import dev.penstock.transport.wire.Frames;
import dev.penstock.transport.wire.Hello;
import dev.penstock.transport.wire.MalformedFrameException;
import dev.penstock.transport.wire.Octets;
import dev.penstock.transport.wire.Role;
import dev.penstock.transport.wire.Sofh;
import dev.penstock.transport.wire.Welcome;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SbeAllocationTest {
  private static final int ROUNDS = 20_000;

  private final SbeFrameEncoder encoder = new SbeFrameEncoder();
  private final SbeFrameDecoder decoder = new SbeFrameDecoder();

  @Test
  void shouldAllocateNothingForFramesWithoutText() throws Exception {
    for (ByteBuffer buffer :
        new ByteBuffer[] {ByteBuffer.allocate(4096), ByteBuffer.allocateDirect(4096)}) {
      Sum sum = new Sum();
      exchange(buffer, sum, 100);
      long before = Allocations.ofThisThread();
      exchange(buffer, sum, ROUNDS);
      long allocated = Allocations.ofThisThread() - before;
      assertThat(sum.calls).isEqualTo((100 + ROUNDS) * 11L);
      // One object of any size per round would be 16 bytes and more for each.
      assertThat(allocated).isLessThan(ROUNDS);
    }
  }

  private void exchange(ByteBuffer buffer, Sum sum, int rounds) throws MalformedFrameException {
    for (int round = 0; round < rounds; round++) {
      buffer.clear();
      encoder.bind(buffer);
      encoder.open(round, Role.SENDER, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
      encoder.opened(round, Role.RECEIVER, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
      encoder.ready(round, true);
      encoder.data(round, 1, 2, 3, 0, 0, 5, 0, 6);
      encoder.demand(round, 1, 2);
      encoder.credit(round, 1, 2, 3);
      encoder.finish(round, 1, 2);
      encoder.finishAck(round, 1, 2);
      encoder.closed(round);
      encoder.ping(round);
      encoder.pong(round);
      int end = buffer.position();
      for (int index = 0; index < end; ) {
        int length = (int) Sofh.frameLength(buffer, index);
        decoder.decode(buffer, index, length, sum);
        index += length;
      }
    }
  }

  /** Counts and keeps nothing. */
  private static final class Sum implements Frames {
    private long calls;

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
      calls++;
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
      calls++;
    }

    @Override
    public void ready(int liveChannels, boolean draining) {
      calls++;
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
      calls++;
    }

    @Override
    public void demand(int channel, long position, long backlog) {
      calls++;
    }

    @Override
    public void credit(int channel, long received, long consumed, long limit) {
      calls++;
    }

    @Override
    public void finish(int channel, long position, long sequence) {
      calls++;
    }

    @Override
    public void finishAck(int channel, long position, long sequence) {
      calls++;
    }

    @Override
    public void closed(int channel) {
      calls++;
    }

    @Override
    public void ping(long value) {
      calls++;
    }

    @Override
    public void pong(long value) {
      calls++;
    }

    @Override
    public void hello(Hello hello) {
      throw new AssertionError();
    }

    @Override
    public void welcome(Welcome welcome) {
      throw new AssertionError();
    }

    @Override
    public void proof(Octets proof) {
      throw new AssertionError();
    }

    @Override
    public void reset(int channel, ErrorCode code, String text) {
      throw new AssertionError();
    }

    @Override
    public void goAway(ErrorCode code, String text, boolean draining) {
      throw new AssertionError();
    }
  }
}

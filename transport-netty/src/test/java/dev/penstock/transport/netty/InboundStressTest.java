package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.ErrorCode;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Loops and a consumer on threads of their own: nothing is lost, nothing stays, nobody sleeps for
 * ever.
 */
@Timeout(120)
class InboundStressTest {
  private static final int LOOPS = 3;
  private static final int CHANNELS_EACH = 4;
  private static final int FRAMES = 3000;
  private static final int CHUNK = 64 * 1024;

  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final ReceiveMemory memory = new ReceiveMemory(allocator, 64L << 20);
  private final InboundQueue queue = new InboundQueue(1 << 20, null);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * A lane's thread that fills receive buffers itself; tasks that the consumer hands it run between
   * frames.
   */
  private final class Loop extends Thread implements InboundLane.Port, FramePayload {
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final InboundLane lane = new InboundLane(memory, tasks::add, this);
    private final List<InboundChannel> channels = new ArrayList<>();
    private final long[] positions = new long[CHANNELS_EACH];
    private final long[] sequences = new long[CHANNELS_EACH];
    private final Random random;
    private final boolean slow;
    private ReceiveChunk chunk = memory.newChunk(CHUNK, CHUNK);
    private int end;
    private boolean allSent;
    private final Set<InboundChannel> finished = new HashSet<>();

    Loop(long seed, int number, boolean slow) {
      super("loop-" + number);
      this.random = new Random(seed);
      this.slow = slow;
      for (int i = 0; i < CHANNELS_EACH; i++) {
        channels.add(new InboundChannel(lane, queue, true, number * CHANNELS_EACH + i));
      }
    }

    @Override
    public void run() {
      try {
        for (int frame = 0; frame < FRAMES; frame++) {
          send(random.nextInt(CHANNELS_EACH));
          runTasks();
          if (slow && frame % 64 == 0) {
            waitFor(frame);
          }
        }
        allSent = true;
        for (int i = 0; i < CHANNELS_EACH; i++) {
          InboundChannel channel = channels.get(i);
          if (channel.finishAt(positions[i])) {
            channel.end(Ending.FINISHED, false);
          }
        }
        while (finished.size() < CHANNELS_EACH && failure.get() == null) {
          runTasks();
          Thread.onSpinWait();
        }
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
        queue.signal();
      } finally {
        chunk.retire();
      }
    }

    /** Lets the consumer come to rest, so that it parks and must be woken. */
    private void waitFor(int frame) {
      int i = frame % CHANNELS_EACH;
      while (!channels.get(i).notifyAt(positions[i]) && failure.get() == null) {
        runTasks();
        Thread.onSpinWait();
      }
      channels.get(i).notifyAt(Long.MAX_VALUE);
    }

    private void send(int i) {
      int records = 1 + random.nextInt(3);
      int length = random.nextInt(4) == 0 ? 1000 + random.nextInt(3000) : random.nextInt(60);
      byte[] payload = new byte[records * (length + 4)];
      for (int record = 0; record < records; record++) {
        ByteBuffer body = ByteBuffer.allocate(length);
        while (body.remaining() > 0) {
          body.put((byte) (sequences[i] + record));
        }
        System.arraycopy(
            Outgoing.record(0, body.array()), 0, payload, record * (length + 4), length + 4);
      }
      if (end + payload.length > CHUNK) {
        if (chunk.idle()) {
          end = 0;
        } else {
          chunk.retire();
          chunk = memory.newChunk(CHUNK, CHUNK);
          end = 0;
        }
      }
      chunk.payloadView().clear();
      chunk.payloadView().put(end, payload);
      end += payload.length;
      channels
          .get(i)
          .accept(
              this, positions[i], sequences[i], records, 0, payload.length, Outgoing.crc(payload));
      positions[i] += payload.length;
      sequences[i] += records;
    }

    private void runTasks() {
      Runnable task = tasks.poll();
      while (task != null) {
        task.run();
        task = tasks.poll();
      }
    }

    @Override
    public void onAttention(InboundChannel channel) {
      int i = channels.indexOf(channel);
      if (channel.drained()) {
        finished.add(channel);
      } else if (allSent && channel.taken() == positions[i]) {
        channel.end(Ending.FINISHED, false);
      }
    }

    @Override
    public void onAttentionEnd() {
      // Nothing is written here.
    }

    @Override
    public ReceiveChunk chunk() {
      return chunk;
    }

    @Override
    public int frameEnd() {
      return end;
    }
  }

  /** Checks every byte and counts endings. */
  private static final class Checker implements RecordHandler {
    private final long[] next = new long[LOOPS * CHANNELS_EACH];
    private int endings;

    @Override
    public boolean onRecord(InboundChannel channel, int kind, long sequence, ByteBuffer bytes) {
      int number = (int) channel.attachment();
      if (sequence != next[number]++) {
        throw new AssertionError("message " + sequence + " of channel " + number);
      }
      while (bytes.hasRemaining()) {
        if (bytes.get() != (byte) sequence) {
          throw new AssertionError("bytes of message " + sequence + " of channel " + number);
        }
      }
      return true;
    }

    @Override
    public boolean onPiece(
        InboundChannel channel, int kind, long sequence, ByteBuffer bytes, int offset, int total) {
      throw new AssertionError("no pieces were sent");
    }

    @Override
    public void onEnding(InboundChannel channel, Ending ending) {
      endings++;
    }
  }

  @Test
  void shouldLoseNothingBetweenSeveralLoopsAndAConsumerThatParks() throws Exception {
    long seed = System.nanoTime();
    List<Loop> loops = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      loops.add(new Loop(seed + i, i, i == 0));
    }
    loops.forEach(Thread::start);
    Checker checker = new Checker();
    while (checker.endings < LOOPS * CHANNELS_EACH && failure.get() == null) {
      assertThat(queue.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(30)))
          .as("seed %d", seed)
          .isTrue();
      queue.poll(checker, 50);
    }
    for (Loop loop : loops) {
      loop.join();
      for (int i = 0; i < CHANNELS_EACH; i++) {
        assertThat(loop.channels.get(i).fault()).as("seed %d", seed).isNull();
        assertThat(loop.channels.get(i).taken()).as("seed %d", seed).isEqualTo(loop.positions[i]);
        assertThat(checker.next[(int) loop.channels.get(i).attachment()])
            .as("seed %d", seed)
            .isEqualTo(loop.sequences[i]);
      }
    }
    assertThat(failure).as("seed %d", seed).hasValue(null);
    assertNothingIsLeft();
  }

  @Test
  void shouldGiveEverythingBackWhenChannelsAreDroppedWhileTheyArePolled() throws Exception {
    long seed = System.nanoTime();
    for (int round = 0; round < 150; round++) {
      Loop loop = new Loop(seed + round, 0, false);
      Thread dropper =
          new Thread(
              () -> {
                for (int i = 0; i < 50; i++) {
                  loop.send(i % CHANNELS_EACH);
                }
                for (InboundChannel channel : loop.channels) {
                  channel.end(new Ending(ErrorCode.CANCELLED, "dropped"), true);
                }
              },
              "dropper");
      dropper.start();
      Checker checker = new Checker();
      while (checker.endings < CHANNELS_EACH) {
        assertThat(queue.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(30)))
            .as("seed %d", seed)
            .isTrue();
        queue.poll(checker, 3);
      }
      dropper.join();
      loop.chunk.retire();
      assertThat(loop.channels).as("seed %d", seed).allMatch(InboundChannel::drained);
    }
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() {
    assertThat(memory.pinnedBytes()).isZero();
    assertThat(memory.bufferBytes()).isZero();
    assertThat(queue.copied()).hasValue(0);
    assertThat(allocator.metric().directArenas())
        .allMatch(arena -> arena.numActiveAllocations() == 0);
  }
}

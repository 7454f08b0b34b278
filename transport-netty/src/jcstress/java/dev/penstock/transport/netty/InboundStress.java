package dev.penstock.transport.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The races of the receiving side, each on the objects that run in production. */
final class InboundStress {
  private static final ByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(false);
  private static final ReceiveMemory MEMORY = new ReceiveMemory(ALLOCATOR, 1 << 20);
  private static final int LENGTH = 8;

  private InboundStress() {}

  /** Memory that counts how often it is let go. */
  private static final class Held extends FrameMemory {
    private final ByteBuffer root = ByteBuffer.allocate(LENGTH).put(0, (byte) (LENGTH - 4));
    private final AtomicInteger releases = new AtomicInteger();

    @Override
    ByteBuffer root() {
      return root;
    }

    @Override
    void release() {
      releases.incrementAndGet();
    }
  }

  /** Counts. */
  private static final class Counter implements RecordHandler {
    private int records;
    private int endings;

    @Override
    public boolean onRecord(InboundChannel channel, int kind, long sequence, ByteBuffer bytes) {
      records++;
      return true;
    }

    @Override
    public boolean onPiece(
        InboundChannel channel, int kind, long sequence, ByteBuffer bytes, int offset, int total) {
      return true;
    }

    @Override
    public void onEnding(InboundChannel channel, Ending ending) {
      endings++;
    }
  }

  /** What the tests have in common: a gate with one channel. */
  private static class Gate implements InboundLane.Port {
    final AtomicInteger tasks = new AtomicInteger();
    final InboundQueue queue = new InboundQueue(1 << 20, null);
    final InboundLane lane = new InboundLane(MEMORY, task -> tasks.incrementAndGet(), this);
    final InboundChannel channel = new InboundChannel(lane, queue, false, "");
    final Held held = new Held();
    final Counter counter = new Counter();

    final void deliver(long sequence) {
      channel.acceptLocal(held, 0, LENGTH, sequence * LENGTH, sequence, 1, 0);
    }

    @Override
    public void onAttention(InboundChannel of) {
      // Only whether the loop is asked matters here.
    }

    @Override
    public void onAttentionEnd() {
      // As above.
    }
  }

  /** A frame is seen with everything that was written before it was linked. */
  @JCStressTest
  @Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "not linked yet")
  @Outcome(id = "8, 4", expect = Expect.ACCEPTABLE, desc = "all of it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "half a frame")
  @State
  public static class Publication {
    private final InboundFrame tail = InboundFrame.stub();
    private final InboundFrame head = tail;

    /** The lane. */
    @Actor
    public void lane() {
      Held held = new Held();
      tail.linkNext(InboundFrame.data(held, 0, LENGTH, 0, 0, 1, 0, 0));
    }

    /** The consumer. */
    @Actor
    public void consumer(II_Result result) {
      InboundFrame frame = head.linkedNext();
      if (frame == null) {
        result.r1 = -1;
        result.r2 = -1;
      } else {
        result.r1 = frame.limit();
        result.r2 = frame.memory.root().get(0);
      }
    }
  }

  /** What the lane queues while the consumer comes to rest is handed out afterwards. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both, now or at the next poll")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a channel with data that nobody looks at")
  @State
  public static class ReadyList extends Gate {
    /** Starts with one frame, so that the consumer has something to come to rest from. */
    public ReadyList() {
      deliver(0);
    }

    /** The lane. */
    @Actor
    public void lane() {
      deliver(1);
    }

    /** The consumer. */
    @Actor
    public void consumer() {
      queue.poll(counter, 10);
    }

    /** Afterwards. */
    @Arbiter
    public void later(I_Result result) {
      queue.poll(counter, 10);
      result.r1 = counter.records;
    }
  }

  /** A consumer that waits is woken by whoever brings something. */
  @JCStressTest(Mode.Termination)
  @Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "woken")
  @Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "asleep with data in the queue")
  @State
  public static class ParkAndWake extends Gate {
    /** The consumer. */
    @Actor
    public void consumer() throws InterruptedException {
      while (queue.poll(counter, 10) == 0) {
        if (!queue.await(System.nanoTime() + TimeUnit.HOURS.toNanos(1))) {
          throw new IllegalStateException("an hour has passed");
        }
      }
    }

    /** The lane. */
    @Signal
    public void lane() {
      deliver(0);
    }
  }

  /** The lane's mark and the consumer's position: one of the two sees the other. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the consumer tells")
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the lane sees it itself")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a starved sender that nobody hears of")
  @State
  public static class ConsumptionMark extends Gate {
    /** The consumer. */
    @Actor
    public void consumer() {
      channel.publish(LENGTH, LENGTH);
    }

    /** The lane. */
    @Actor
    public void lane(II_Result result) {
      result.r1 = channel.notifyAt(LENGTH) ? 1 : 0;
    }

    /** Afterwards. */
    @Arbiter
    public void later(II_Result result) {
      result.r2 = tasks.get();
    }
  }

  /** The end of the channel and the consumer's position: one of the two sees the other. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the consumer tells")
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the lane sees it itself")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
  @Outcome(expect = Expect.FORBIDDEN, desc = "an end that is never confirmed")
  @State
  public static class EndMark extends Gate {
    /** The consumer. */
    @Actor
    public void consumer() {
      channel.publish(LENGTH, LENGTH);
    }

    /** The lane. */
    @Actor
    public void lane(II_Result result) {
      result.r1 = channel.finishAt(LENGTH) ? 1 : 0;
    }

    /** Afterwards. */
    @Arbiter
    public void later(II_Result result) {
      result.r2 = tasks.get();
    }
  }

  /**
   * A queue that the lane drops while it is polled: memory goes back once, and the ending comes.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "once, told, drained")
  @Outcome(expect = Expect.FORBIDDEN, desc = "leaked, released twice, or never told")
  @State
  public static class Drop extends Gate {
    /** Starts with one frame in the queue. */
    public Drop() {
      deliver(0);
    }

    /** The consumer. */
    @Actor
    public void consumer() {
      queue.poll(counter, 10);
    }

    /** The lane. */
    @Actor
    public void lane() {
      channel.end(Ending.FINISHED, true);
    }

    /** Afterwards. */
    @Arbiter
    public void later(III_Result result) {
      queue.poll(counter, 10);
      result.r1 = held.releases.get();
      result.r2 = counter.endings;
      result.r3 = channel.drained() ? 1 : 0;
    }
  }

  /** Tiny frames appended while the consumer closes the buffer: appended means seen. */
  @JCStressTest
  @Outcome(
      id = "1, 0, 16",
      expect = Expect.ACCEPTABLE,
      desc = "appended before the consumer was done")
  @Outcome(id = "0, 1, 8", expect = Expect.ACCEPTABLE, desc = "the consumer was done before")
  @Outcome(id = "1, 1, 16", expect = Expect.ACCEPTABLE, desc = "appended, seen, done")
  @Outcome(expect = Expect.FORBIDDEN, desc = "appended to a buffer that was given back")
  @State
  public static class Append implements FramePayload {
    private final ReceiveChunk chunk = MEMORY.newChunk(LENGTH, LENGTH);
    private final CopiedMemory copy =
        new CopiedMemory(MEMORY, new java.util.concurrent.atomic.AtomicLong(), 4 * LENGTH);
    private final InboundFrame frame = InboundFrame.appendable(copy, LENGTH, 0, 0);

    @Override
    public ReceiveChunk chunk() {
      return chunk;
    }

    @Override
    public int frameEnd() {
      return LENGTH;
    }

    /** The lane. */
    @Actor
    public void lane(III_Result result) {
      result.r1 = frame.tryAppend(this, LENGTH) ? 1 : 0;
    }

    /** The consumer. */
    @Actor
    public void consumer(III_Result result) {
      result.r2 = frame.seal(frame.limit()) ? 1 : 0;
    }

    /** Afterwards. */
    @Arbiter
    public void later(III_Result result) {
      result.r3 = frame.limit();
      copy.release();
      chunk.retire();
    }
  }

  /**
   * A receive buffer that is pinned again while the last frame lets go: charged exactly while
   * pinned.
   */
  @JCStressTest
  @Outcome(id = "1, 8", expect = Expect.ACCEPTABLE, desc = "pinned and charged once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the charge and the pins disagree")
  @State
  public static class Pins {
    private final ReceiveMemory memory = new ReceiveMemory(ALLOCATOR, 1 << 20);
    private final ReceiveChunk chunk = memory.newChunk(LENGTH, LENGTH);

    /** Starts with one pin. */
    public Pins() {
      chunk.pin();
    }

    /** The consumer. */
    @Actor
    public void consumer() {
      chunk.release();
    }

    /** The lane. */
    @Actor
    public void lane(II_Result result) {
      result.r1 = chunk.pin() ? 1 : 0;
    }

    /** Afterwards. */
    @Arbiter
    public void later(II_Result result) {
      result.r2 = (int) memory.pinnedBytes();
      chunk.release();
      chunk.retire();
    }
  }
}

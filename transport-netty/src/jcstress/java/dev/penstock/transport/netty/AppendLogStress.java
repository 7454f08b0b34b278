package dev.penstock.transport.netty;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.wire.Record;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
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

/**
 * The races between an append log's writer and its loop, each on the objects that run in
 * production.
 */
final class AppendLogStress {
  private static final int SMALL = 60;
  private static final int LARGE = 4000;
  private static final int FRAME = 64_512;
  private static final PooledByteBufAllocator ALLOCATOR = new PooledByteBufAllocator(true);
  private static final LogSettings SETTINGS = new LogSettings(8000, LARGE, ChunkSizes.MAX, true);

  private AppendLogStress() {}

  /** A log with a budget of its own, and what tests do with it. */
  private static class Fixture {
    final AtomicInteger attention = new AtomicInteger();
    final LogMemory memory;
    final AppendLog log;
    final FrameCut cut = new FrameCut();
    long sent;

    Fixture() {
      this(1 << 20);
    }

    Fixture(int bytes) {
      memory = new LogMemory(bytes, 64, bytes);
      log =
          new AppendLog(
              memory.register().orElseThrow(),
              new ScratchPermit(SETTINGS.maxMessageChunk()),
              ALLOCATOR,
              SETTINGS,
              0,
              0,
              attention::incrementAndGet);
    }

    final boolean offer(int length) {
      ByteBuffer body = ByteBuffer.allocate(length);
      while (body.hasRemaining()) {
        body.put((byte) body.position());
      }
      return log.offer(Record.MESSAGE, body.flip()) == AppendResult.ADMITTED;
    }

    /** Cuts everything; answers whether the bytes are those of one message after another. */
    final boolean cutAll(int length) {
      log.committedPosition();
      boolean good = true;
      while (log.cut(sent, FRAME, FRAME, cut)) {
        ByteBuffer bytes = ByteBuffer.allocate(cut.length);
        log.copyPayload(sent, cut.length, bytes);
        sent += cut.length;
        bytes.flip();
        good &= cut.messages * (length + Record.HEAD_BYTES) == cut.length;
        while (bytes.hasRemaining()) {
          good &= Integer.reverseBytes(bytes.getInt()) == Record.head(Record.MESSAGE, length);
          for (int i = 0; i < length; i++) {
            good &= bytes.get() == (byte) i;
          }
        }
      }
      return good;
    }

    /**
     * One message that was sent and not acknowledged, in a chunk larger than the smallest; not
     * idle.
     */
    final void sendOneLarge() {
      offer(LARGE);
      cutAll(LARGE);
      attention.set(0);
    }

    /** Whether all memory came back after the end. */
    final boolean isNothingLeft() {
      return log.charged() == 0
          && memory.registered() == 0
          && memory.floatFree() == memory.bytes() - memory.bytes() / 2;
    }
  }

  /** The loop goes to sleep while a message is committed: one of them must notice the other. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "asleep, then woken")
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "stayed awake for the message")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a lost or a needless wake-up")
  @State
  public static class GoingIdle extends Fixture {
    /** Awake, with nothing to send. */
    public GoingIdle() {
      sendOneLarge();
    }

    /** Commits. */
    @Actor
    public void writer() {
      offer(SMALL);
    }

    /** Goes to sleep. */
    @Actor
    public void loop(II_Result r) {
      r.r2 = log.tryIdle() ? 1 : 0;
    }

    /** Counts. */
    @Arbiter
    public void after(II_Result r) {
      r.r1 = attention.get();
      log.release();
    }
  }

  /** What the loop sees of two messages is whole. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 1", "2, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "none, one or both")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a torn count or a spoilt message")
  @State
  public static class Publishing extends Fixture {
    /** Commits twice. */
    @Actor
    public void writer() {
      offer(SMALL);
      offer(SMALL);
    }

    /** Cuts. */
    @Actor
    public void loop(II_Result r) {
      boolean good = cutAll(SMALL);
      long seen = log.committedSequence();
      good &= log.committedPosition() >= seen * (SMALL + Record.HEAD_BYTES);
      r.r1 = (int) (sent / (SMALL + Record.HEAD_BYTES));
      r.r2 = good ? 1 : 0;
    }

    /** Takes the rest. */
    @Arbiter
    public void after(II_Result r) {
      boolean good = cutAll(SMALL) && sent == 2 * (SMALL + Record.HEAD_BYTES);
      log.release();
      r.r2 &= good && isNothingLeft() ? 1 : 0;
    }
  }

  /** The loop takes an empty chunk away while the writer begins to write into it. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the message is whole, no memory lost")
  @Outcome(expect = Expect.FORBIDDEN, desc = "written into memory that was taken away, or lost")
  @State
  public static class TakingTheChunk extends Fixture {
    private ByteBuf reused;

    /** One message in flight. */
    public TakingTheChunk() {
      sendOneLarge();
    }

    /** Appends what fits into the rest of the chunk. */
    @Actor
    public void writer() {
      offer(SMALL);
    }

    /** Frees the chunk, and has its memory used by someone else. */
    @Actor
    public void loop() {
      log.acknowledged(sent);
      log.tryIdle();
      reused = ALLOCATOR.directBuffer(ChunkSizes.holding(LARGE + Record.HEAD_BYTES));
      reused.writeZero(reused.capacity());
    }

    /** Looks at the message. */
    @Arbiter
    public void after(II_Result r) {
      long before = sent;
      boolean good = cutAll(SMALL) && sent == before + SMALL + Record.HEAD_BYTES;
      r.r1 = good ? 1 : 0;
      reused.release();
      log.acknowledged(sent);
      boolean idle = log.tryIdle();
      log.release();
      r.r2 = idle && isNothingLeft() ? 1 : 0;
    }
  }

  /**
   * The writer leaves an empty chunk behind while the loop goes to sleep: one of them must see to
   * it.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the loop freed it before it slept")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the loop was woken for it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "memory that nobody frees")
  @State
  public static class LeavingAChunk extends Fixture {
    /** Everything acknowledged, awake, and a claim that needed a chunk of its own. */
    public LeavingAChunk() {
      sendOneLarge();
      log.tryClaim(Record.MESSAGE, LARGE);
      log.acknowledged(sent);
    }

    /** Gives the claim up. */
    @Actor
    public void writer() {
      log.abort();
    }

    /** Goes to sleep. */
    @Actor
    public void loop() {
      log.tryIdle();
    }

    /** Looks at what is left. */
    @Arbiter
    public void after(II_Result r) {
      r.r1 = attention.get();
      if (r.r1 == 1) {
        log.tryIdle();
        r.r2 = log.charged() > 0 ? 2 : 1;
      } else {
        r.r2 = log.charged() > 0 ? 2 : 0;
      }
      log.release();
    }
  }

  /** The channel ends while the writer appends. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "refused, or admitted in time")
  @Outcome(expect = Expect.FORBIDDEN, desc = "memory lost or freed twice")
  @State
  public static class Closing extends Fixture {
    /** Appends. */
    @Actor
    public void writer(II_Result r) {
      r.r1 = offer(SMALL) ? 1 : 0;
    }

    /** Ends it. */
    @Actor
    public void loop() {
      log.release();
    }

    /** Looks at what is left. */
    @Arbiter
    public void after(II_Result r) {
      r.r2 = isNothingLeft() && !offer(SMALL) ? 1 : 0;
    }
  }

  /** A writer blocks for memory while the last of it comes back. */
  @JCStressTest(Mode.Termination)
  @Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "the writer went on")
  @Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "the wake-up was lost")
  @State
  public static class BlockedWriter extends Fixture {
    /** Full. */
    public BlockedWriter() {
      super(2 * 64 * ChunkSizes.MIN_FLOOR);
      while (offer(SMALL)) {}
      cutAll(SMALL);
    }

    /** Blocks. */
    @Actor
    public void writer() {
      log.claim(Record.MESSAGE, SMALL, System.nanoTime() + TimeUnit.MINUTES.toNanos(10));
      log.abort();
      log.release();
    }

    /** Acknowledges. */
    @Signal
    public void loop() {
      log.acknowledged(sent);
    }
  }

  /** Float is given back while another channel begins to wait for it. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "it got the float when it looked")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "it was told")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a wait with memory free")
  @State
  public static class FloatComesBack {
    private static final int HELD = 20_000;
    private static final int WANTED = 24_000;
    private final LogMemory memory = new LogMemory(64 * 1024, 8, 64 * 1024);
    private final LogAccount holder = memory.register().orElseThrow();
    private final LogAccount other = memory.register().orElseThrow();
    private final RoomWaiter waiter = new RoomWaiter();

    /** Half of the float is taken: the other half is less than what the other channel wants. */
    public FloatComesBack() {
      holder.tryCharge(HELD);
    }

    /** Gives back. */
    @Actor
    public void giver() {
      holder.chunkFreed(HELD);
    }

    /** Looks, arms, and looks again. */
    @Actor
    public void waiter(II_Result r) {
      if (other.tryCharge(WANTED)) {
        r.r1 = 1;
        return;
      }
      waiter.arm(other.floatNeed(), other.wakeLevel(0));
      memory.await(waiter);
      if (other.tryCharge(WANTED)) {
        r.r1 = 1;
        waiter.disarm();
        memory.wakeWaiters();
      }
    }

    /** Whether it was told. */
    @Arbiter
    public void after(II_Result r) {
      r.r2 = r.r1 == 0 && !waiter.watches(waiter.need()) ? 1 : 0;
    }
  }

  /** Two channels are signalled while the loop is in its turn: they are taken, or a task will. */
  @JCStressTest
  @Outcome(
      id = {"3, 0, 0", "3, 0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "all taken")
  @Outcome(
      id = {"1, 2, 1", "2, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "a task follows")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a signal that nobody will take, or two tasks")
  @State
  public static class Signals {
    private final AtomicInteger tasks = new AtomicInteger();
    private final LaneSignals<String> signals =
        new LaneSignals<>(task -> tasks.incrementAndGet(), () -> {});

    /** One task waits. */
    public Signals() {
      signals.signal("first");
    }

    /** Signals. */
    @Actor
    public void writer() {
      signals.signal("second");
      signals.signal("third");
    }

    /** Runs the task. */
    @Actor
    public void loop(III_Result r) {
      tasks.decrementAndGet();
      signals.begin();
      while (signals.next() != null) {
        r.r1++;
      }
    }

    /** What is left, and how many tasks are. */
    @Arbiter
    public void after(III_Result r) {
      while (signals.next() != null) {
        r.r2++;
      }
      r.r3 = tasks.get();
    }
  }

  /** A chunk's last reference is dropped by the loop, or by a write that ends elsewhere, once. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "freed once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "kept, or freed twice")
  @State
  public static class LastReference extends Fixture {
    private ByteBuf write;

    /** One message in flight. */
    public LastReference() {
      offer(LARGE);
      log.committedPosition();
      log.cut(0, FRAME, FRAME, cut);
      log.slicePayload(0, cut.length, slice -> write = slice);
    }

    /** The write ends. */
    @Actor
    public void socket() {
      write.release();
    }

    /** The acknowledgement comes. */
    @Actor
    public void loop() {
      log.acknowledged(cut.length);
    }

    /** Looks at what is left. */
    @Arbiter
    public void after(I_Result r) {
      boolean freed = log.charged() == 0;
      log.release();
      r.r1 = freed && isNothingLeft() ? 1 : 0;
    }
  }
}

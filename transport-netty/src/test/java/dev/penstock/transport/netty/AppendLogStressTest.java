package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.testkit.SeedOnFailure;
import dev.penstock.transport.wire.Record;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Writers on threads of their own, a loop that sleeps when there is nothing to do, a tight budget,
 * and connections that break: a wake-up that gets lost hangs the test, memory that is freed too
 * early spoils a record.
 */
class AppendLogStressTest {
  private static final int MAX_MESSAGE = 20_000;
  private static final long FOR_EVER = 60_000_000_000L;

  @RegisterExtension final SeedOnFailure seed = new SeedOnFailure("penstock.log.seed");

  @Test
  @Timeout(120)
  void shouldCarryEveryRecordOfSeveralWritersThroughATightBudget() throws Exception {
    run(3, 40_000, new LogMemory(64 * 1024, 8, 16 * 1024), 300);
  }

  @Test
  @Timeout(120)
  void shouldCarryEveryRecordOnFloorsAlone() throws Exception {
    // Three floors of 1 KiB are all there is but for some hundred bytes of float.
    run(3, 10_000, new LogMemory(6 * 1024 + 512, 3, 0), 100);
  }

  @Test
  @Timeout(120)
  void shouldCarryEveryRecordOfABusyWriter() throws Exception {
    run(1, 400_000, new LogMemory(LogMemory.DEFAULT_BYTES, 16, 512 * 1024), 200);
  }

  private void run(int channels, int records, LogMemory memory, int small) throws Exception {
    LogSettings settings = new LogSettings(8000, MAX_MESSAGE, ChunkSizes.MAX, true);
    ExecutorService writers = Executors.newFixedThreadPool(channels);
    try (LogFixture fixture = new LogFixture(memory, settings)) {
      LoopSide loop = new LoopSide(seed.value());
      List<Future<?>> writing = new ArrayList<>();
      for (int i = 0; i < channels; i++) {
        Channel channel = loop.add(fixture, seed.value() + i, small);
        NumberedRecords toWrite = new NumberedRecords(seed.value() + i, small, MAX_MESSAGE);
        SplittableRandom random = new SplittableRandom(~seed.value() + i);
        writing.add(writers.submit(() -> write(channel.log, toWrite, records, random)));
      }
      loop.runUntilReceived(records, writing);
      for (Future<?> writer : writing) {
        writer.get();
      }
      loop.release();
    } finally {
      writers.shutdownNow();
      assertThat(writers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void write(
      AppendLog log, NumberedRecords toWrite, int records, SplittableRandom random) {
    for (int i = 0; i < records; i++) {
      byte[] body = toWrite.next();
      long deadline = System.nanoTime() + FOR_EVER;
      switch (random.nextInt(8)) {
        case 0 -> abort(log, random);
        case 1 -> {
          while (log.offer(Record.MESSAGE, ByteBuffer.wrap(body)) != AppendResult.ADMITTED) {
            assertThat(log.awaitRoom(Record.MESSAGE, body.length, deadline))
                .isEqualTo(AppendResult.ADMITTED);
          }
          continue;
        }
        default -> {}
      }
      assertThat(log.claim(Record.MESSAGE, body.length, deadline)).isEqualTo(AppendResult.ADMITTED);
      LogFixture.claimed(log).put(body);
      assertThat(log.commit()).isTrue();
    }
  }

  private static void abort(AppendLog log, SplittableRandom random) {
    if (log.tryClaim(Record.MESSAGE, random.nextInt(2000)) == AppendResult.ADMITTED) {
      ByteBuffer room = LogFixture.claimed(log);
      while (room.hasRemaining() && random.nextInt(100) != 0) {
        room.put((byte) -1);
      }
      log.abort();
    }
  }

  /** A lane's loop: sleeps in the queue of its tasks. */
  private static final class LoopSide {
    private final SplittableRandom random;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final LaneSignals<Channel> signals = new LaneSignals<>(tasks::add, this::signalled);
    private final List<Channel> channels = new ArrayList<>();
    private boolean turnQueued;

    LoopSide(long seed) {
      random = new SplittableRandom(seed);
    }

    Channel add(LogFixture fixture, long recordSeed, int small) {
      Channel channel = new Channel(recordSeed, small, random);
      channel.log = fixture.newLog(0, 0, () -> signals.signal(channel));
      channels.add(channel);
      return channel;
    }

    void runUntilReceived(int records, List<Future<?>> writing) throws InterruptedException {
      while (channels.stream().anyMatch(c -> c.records.sequence() < records)) {
        Runnable task = tasks.poll(10, TimeUnit.SECONDS);
        if (task == null) {
          throw new AssertionError(
              "nothing happens: " + channels + ", writers " + failures(writing));
        }
        task.run();
      }
      assertThat(tasks.size()).isLessThanOrEqualTo(2);
    }

    private static String failures(List<Future<?>> writing) throws InterruptedException {
      StringBuilder text = new StringBuilder();
      for (Future<?> writer : writing) {
        try {
          text.append(writer.isDone() ? writer.get() : "waiting").append(' ');
        } catch (ExecutionException e) {
          text.append(e.getCause()).append(' ');
        }
      }
      return text.toString();
    }

    private void signalled() {
      signals.begin();
      for (Channel channel = signals.next(); channel != null; channel = signals.next()) {
        channel.awake = true;
      }
      turn();
    }

    private void turnAgain() {
      turnQueued = false;
      turn();
    }

    private void turn() {
      boolean again = false;
      for (Channel channel : channels) {
        again |= channel.awake && channel.turn();
      }
      if (again && !turnQueued) {
        turnQueued = true;
        tasks.add(this::turnAgain);
      }
    }

    void release() {
      for (Channel channel : channels) {
        channel.log.release();
      }
    }
  }

  private static final class Channel {
    private final SplittableRandom random;
    private final NumberedRecords records;
    private final FrameCut cut = new FrameCut();
    private final CRC32C crc = new CRC32C();

    /** Written to the connection and not yet received. */
    private final ArrayDeque<ByteBuf> written = new ArrayDeque<>();

    private AppendLog log;
    private boolean awake;
    private long sent;
    private long received;

    Channel(long seed, int small, SplittableRandom random) {
      this.random = random;
      records = new NumberedRecords(seed, small, MAX_MESSAGE);
    }

    /** Answers whether there is more to do. */
    boolean turn() {
      if (random.nextInt(50) == 0) {
        breakConnection();
      }
      for (int i = random.nextInt(6); i >= 0 && send(); i--) {}
      if (random.nextInt(3) == 0) {
        receive(random.nextInt(5));
      }
      if (sent == log.committedPosition() && random.nextBoolean()) {
        receive(Integer.MAX_VALUE);
      }
      awake = received != sent || !log.tryIdle();
      return awake;
    }

    private boolean send() {
      if (!log.cut(sent, 1 + random.nextInt(30_000), 700, cut)) {
        return false;
      }
      ByteBuf payload = Unpooled.compositeBuffer(1000);
      log.slicePayload(sent, cut.length, slice -> add(payload, slice));
      crc.reset();
      crc.update(payload.nioBuffer());
      assertThat((int) crc.getValue()).as("payload crc").isEqualTo(cut.crc);
      written.add(payload);
      sent += cut.length;
      return true;
    }

    private static void add(ByteBuf payload, ByteBuf slice) {
      ((io.netty.buffer.CompositeByteBuf) payload).addComponent(true, slice);
    }

    private void receive(int frames) {
      for (int i = 0; i < frames && !written.isEmpty(); i++) {
        ByteBuf payload = written.poll();
        byte[] bytes = new byte[payload.readableBytes()];
        payload.readBytes(bytes);
        payload.release();
        records.receive(bytes);
        received += bytes.length;
      }
      log.acknowledged(received);
    }

    private void breakConnection() {
      written.forEach(ByteBuf::release);
      written.clear();
      sent = received;
    }

    @Override
    public String toString() {
      return "received "
          + records.sequence()
          + " records, "
          + received
          + " of "
          + sent
          + " bytes of "
          + log.committedPosition()
          + ", charged "
          + log.charged();
    }
  }
}

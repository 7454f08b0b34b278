package dev.penstock.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.testkit.SeedOnFailure;
import dev.penstock.transport.wire.Record;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An append log against a list of records, one thread, any order of what both sides may do. */
class AppendLogPropertyTest {
  private static final int CASES = 200;

  /** What the starts run up to: 2^31, 2^32 and the wrap of the sequence in the log's word. */
  private static final long[] EDGES = {1L << 26, 1L << 31, 1L << 32, 1L << 40, 50_000L};

  private static final int[] SEGMENTS = {200, 3000, 5000, 9000, 32_256};

  @RegisterExtension final SeedOnFailure seed = new SeedOnFailure("penstock.log.seed");

  @Test
  void shouldBehaveAsAListOfRecords() {
    Random random = new Random(seed.value());
    for (int i = 0; i < CASES; i++) {
      long position = start(random);
      long sequence = start(random);
      int channels = 1 + random.nextInt(40);
      int segmentBytes = SEGMENTS[random.nextInt(SEGMENTS.length)];
      LogSettings settings = new LogSettings(segmentBytes, 40_000, 16 * 1024, random.nextBoolean());
      try (LogFixture fixture =
          new LogFixture(new LogMemory(64 * 1024, channels, 24_000), settings)) {
        new Run(fixture, new Random(random.nextLong()), position, sequence).run(400);
      }
    }
  }

  private static long start(Random random) {
    return EDGES[random.nextInt(EDGES.length)] - random.nextInt(40_001);
  }

  private static final class Run {
    private final LogFixture fixture;
    private final Random random;
    private final LogModel model;
    private final AppendLog log;
    private final FrameCut cut = new FrameCut();
    private final AtomicInteger wakeUps = new AtomicInteger();

    /**
     * Where cuts ended, from the acknowledged position on: where a receiver may stand after a
     * break.
     */
    private final TreeSet<Long> cutEnds = new TreeSet<>();

    private final int pieceLength;
    private long sent;
    private long acknowledged;
    private boolean idle = true;

    Run(LogFixture fixture, Random random, long position, long sequence) {
      this.fixture = fixture;
      this.random = random;
      model = new LogModel(position, sequence);
      log = fixture.newLog(position, sequence, wakeUps);
      pieceLength = 200 + random.nextInt(3000);
      sent = position;
      acknowledged = position;
      cutEnds.add(position);
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        step(random.nextInt(100));
        assertThat(log.committedPosition()).isEqualTo(model.position());
        assertThat(log.committedSequence()).isEqualTo(model.sequence());
      }
      drain();
      log.release();
      assertThat(log.tryClaim(Record.MESSAGE, 1)).isEqualTo(AppendResult.CLOSED);
    }

    private void step(int dice) {
      if (dice < 45) {
        append(random.nextInt(10) == 0 ? random.nextInt(40_001) : random.nextInt(300));
      } else if (dice < 50) {
        abort();
      } else if (dice < 75) {
        cut(1 + random.nextInt(random.nextBoolean() ? 10_000 : 70_000));
      } else if (dice < 93) {
        acknowledge();
      } else if (dice < 96) {
        resume();
      } else {
        idle();
      }
    }

    private void append(int length) {
      byte[] body = LogModel.randomBody(random, length);
      int kind = random.nextInt(8) == 0 ? Record.EVENT : Record.MESSAGE;
      int before = wakeUps.get();
      AppendResult result;
      if (random.nextBoolean()) {
        result = log.offer(kind, ByteBuffer.wrap(body));
      } else {
        result = log.tryClaim(kind, length);
        if (result == AppendResult.ADMITTED) {
          assertThat(LogFixture.claimed(log).remaining()).isEqualTo(length);
          LogFixture.claimed(log).put(body);
          assertThat(log.commit()).isTrue();
        }
      }
      if (result == AppendResult.ADMITTED) {
        model.append(kind, body);
        assertThat(wakeUps.get() - before).isEqualTo(idle ? 1 : 0);
        idle = false;
      } else {
        assertThat(result).isEqualTo(AppendResult.BACK_PRESSURED);
        idle = idle && wakeUps.get() == before;
      }
    }

    private void abort() {
      int before = wakeUps.get();
      if (log.tryClaim(Record.MESSAGE, 1 + random.nextInt(2000)) == AppendResult.ADMITTED) {
        LogFixture.claimed(log).put((byte) 1);
        log.abort();
      }
      idle = idle && wakeUps.get() == before;
    }

    private void cut(int maxLength) {
      if (log.cut(sent, maxLength, pieceLength, cut)) {
        model.check(log, sent, maxLength, pieceLength, cut, fixture.settings.payloadCrc());
        sent += cut.length;
        cutEnds.add(sent);
      } else {
        model.checkRefused(sent, maxLength, pieceLength);
      }
    }

    private void acknowledge() {
      acknowledged = cutEnds.floor(acknowledged + random.nextInt((int) (sent - acknowledged) + 1));
      log.acknowledged(acknowledged);
      cutEnds.headSet(acknowledged).clear();
    }

    private void resume() {
      sent = cutEnds.floor(acknowledged + random.nextInt((int) (sent - acknowledged) + 1));
      cutEnds.tailSet(sent, false).clear();
    }

    private void idle() {
      if (sent == model.position()) {
        assertThat(log.tryIdle()).isTrue();
        idle = true;
      }
    }

    private void drain() {
      while (sent < model.position()) {
        cut(1 + random.nextInt(70_000));
      }
      log.acknowledged(sent);
      assertThat(log.tryIdle()).isTrue();
      assertThat(log.charged()).as("what an idle channel keeps").isLessThanOrEqualTo(4096L);
    }
  }
}

package dev.penstock.transport.netty;

import dev.penstock.transport.protocol.FrameCut;
import dev.penstock.transport.wire.Record;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Not a test: how many records a second one thread appends while another cuts them and acknowledges
 * at once. Arguments: body bytes, seconds, rounds, and optionally {@code copy} to copy what is cut,
 * as a socket would.
 */
final class AppendLogThroughput {
  private static final int MAX_FRAME = 64_512;

  private final LogMemory memory =
      new LogMemory(
          LogMemory.DEFAULT_BYTES, LogMemory.DEFAULT_CHANNELS, LogMemory.DEFAULT_CHANNEL_CAP);
  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final ByteBuffer socket = ByteBuffer.allocateDirect(MAX_FRAME);
  private final boolean copy;
  private final FrameCut cut = new FrameCut();
  private final LaneSignals<AppendLog> signals;
  private final AppendLog log;
  private long sent;
  private long frames;
  private long turns;

  private AppendLogThroughput(boolean copy) {
    this.copy = copy;
    Executor loop = tasks::add;
    signals = new LaneSignals<>(loop, this::turn);
    log =
        new AppendLog(
            memory.register().orElseThrow(),
            new ScratchPermit(LogSettings.DEFAULT.maxMessageChunk()),
            PooledByteBufAllocator.DEFAULT,
            LogSettings.DEFAULT,
            0,
            0,
            this::attention);
  }

  public static void main(String[] args) throws InterruptedException {
    int body = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
    boolean copy = args.length > 3 && args[3].equals("copy");
    for (int i = 0; i < rounds; i++) {
      new AppendLogThroughput(copy).run(body, seconds * 1_000_000_000L);
    }
  }

  private void run(int bodyBytes, long nanos) throws InterruptedException {
    Thread loop = new Thread(this::runLoop, "loop");
    loop.start();
    ByteBuffer body = ByteBuffer.allocate(bodyBytes);
    long start = System.nanoTime();
    long records = 0;
    while (System.nanoTime() - start < nanos) {
      for (int i = 0; i < 1000; i++) {
        while (log.offer(Record.MESSAGE, body) != AppendResult.ADMITTED) {
          log.awaitRoom(Record.MESSAGE, bodyBytes, Long.MAX_VALUE / 2);
        }
        records++;
      }
    }
    long took = System.nanoTime() - start;
    tasks.add(log::release);
    tasks.add(() -> loop.interrupt());
    loop.join();
    System.out.printf(
        Locale.ROOT,
        "%d-byte bodies: %.1f M records/s, %.0f MB/s; %d frames, %.0f bytes each, %d turns, "
            + "%.1f %% summed by the loop, %d walked%n",
        bodyBytes,
        records * 1e3 / took,
        records * (bodyBytes + Record.HEAD_BYTES) * 1e3 / took,
        frames,
        (double) sent / frames,
        turns,
        100.0 * log.summedByLoop() / sent,
        log.walkedByLoop());
  }

  private void attention() {
    signals.signal(log);
  }

  private void runLoop() {
    try {
      while (true) {
        tasks.take().run();
      }
    } catch (InterruptedException e) {
      // The run is over.
    }
  }

  private void turn() {
    turns++;
    signals.begin();
    while (signals.next() != null) {
      // There is but one.
    }
    if (sent < log.committedPosition()) {
      send();
    }
    if (!log.tryIdle()) {
      tasks.add(this::turn);
    }
  }

  private void send() {
    for (int i = 0; i < 8 && log.cut(sent, MAX_FRAME, 1024, cut); i++) {
      if (copy) {
        log.copyPayload(sent, cut.length, socket.clear());
      }
      sent += cut.length;
      frames++;
    }
    log.acknowledged(sent);
  }
}

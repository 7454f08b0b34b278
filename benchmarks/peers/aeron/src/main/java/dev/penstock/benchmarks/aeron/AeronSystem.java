package dev.penstock.benchmarks.aeron;

import dev.penstock.benchmarks.MessageSystem;
import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Producer;
import dev.penstock.benchmarks.Sinks;
import dev.penstock.benchmarks.Workload;
import io.aeron.Aeron;
import io.aeron.AeronVersion;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.AeronException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Aeron with an embedded media driver of one thread for both halves, over UDP on the loopback
 * interface or through shared memory. A subscription per consumer, polled by a thread, and a
 * publication per channel. Everything that waits backs off: to spin takes more cores than all
 * systems are given. The largest datagrams, since everything is on one host; windows so large that
 * together they fit the socket buffer of a consumer, for more than that is lost and sent again.
 */
public final class AeronSystem implements MessageSystem {
  private static final int FIRST_STREAM = 1001;
  private static final int LARGEST_DATAGRAM = 65504;
  private static final int FRAME_ALIGNMENT = 32;
  private static final int SOCKET_BUFFER = 2 * 1024 * 1024;

  /**
   * The fastest of those tried, from half a megabyte to Aeron's own 64; over UDP it matters less.
   */
  private static final int TERM_LENGTH = 16 * 1024 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A machine may stand still for a while; to be declared dead for it would be no measurement. */
  private static final long LIVENESS_SECONDS = 60;

  private final boolean udp;
  private final int termLength;
  private final int wantedSocketBuffer;
  private final String directory;
  private final List<Receiver> receivers = new ArrayList<>();
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private MediaDriver driver;
  private Aeron aeron;
  private AeronProducer[] producers;

  public AeronSystem(Parameters parameters) {
    udp = parameters.get("transport", "udp").equals("udp");
    termLength = parameters.getInt("term", TERM_LENGTH);
    wantedSocketBuffer = parameters.getInt("socket-buffer", SOCKET_BUFFER);
    directory = parameters.get("directory", CommonContext.generateRandomDirName());
  }

  static IdleStrategy backOff() {
    return new BackoffIdleStrategy();
  }

  /** Starts driver and consumers; the producers use the same driver. */
  @Override
  public String listen(Workload workload, Sinks sinks) throws IOException {
    if (workload.processes() > 1) {
      throw new UnsupportedOperationException("the Aeron peer runs in one JVM");
    }
    int socketBuffer = grantedSocketBuffer();
    int window = socketBuffer / workload.producers();
    start(
        socketBuffer,
        Math.min(LARGEST_DATAGRAM, window / FRAME_ALIGNMENT * FRAME_ALIGNMENT),
        sinks);
    for (int consumer = 0; consumer < workload.consumers(); consumer++) {
      String channel = udp ? "aeron:udp?endpoint=127.0.0.1:0|rcv-wnd=" + window : "aeron:ipc";
      Subscription subscription = aeron.addSubscription(channel, FIRST_STREAM + consumer);
      subscriptions.add(subscription);
      Receiver receiver =
          new Receiver(subscription, workload.producers(), sinks.sink(consumer), sinks);
      receivers.add(receiver);
      Thread thread = new Thread(receiver, "bench-consumer-" + consumer);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    return "in this JVM";
  }

  /** What the system gives of the socket buffer that is asked for: Aeron refuses larger windows. */
  private int grantedSocketBuffer() throws IOException {
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.setOption(StandardSocketOptions.SO_RCVBUF, wantedSocketBuffer);
      return Math.min(wantedSocketBuffer, probe.getOption(StandardSocketOptions.SO_RCVBUF));
    }
  }

  private void start(int socketBuffer, int mtu, Sinks sinks) {
    long livenessNanos = Duration.ofSeconds(LIVENESS_SECONDS).toNanos();
    driver =
        MediaDriver.launchEmbedded(
            new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(backOff())
                .mtuLength(mtu)
                .initialWindowLength(Math.max(mtu, socketBuffer / 16))
                .ipcMtuLength(LARGEST_DATAGRAM)
                .publicationTermBufferLength(termLength)
                .ipcTermBufferLength(termLength)
                .socketRcvbufLength(socketBuffer)
                .socketSndbufLength(socketBuffer)
                .clientLivenessTimeoutNs(livenessNanos)
                .imageLivenessTimeoutNs(livenessNanos)
                .publicationConnectionTimeoutNs(livenessNanos)
                .publicationUnblockTimeoutNs(2 * livenessNanos)
                .errorHandler(cause -> report(cause, sinks)));
    aeron =
        Aeron.connect(
            new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .driverTimeoutMs(livenessNanos / 1_000_000)
                .idleStrategy(backOff())
                .errorHandler(cause -> report(cause, sinks)));
  }

  private static void report(Throwable cause, Sinks sinks) {
    boolean warning =
        cause instanceof AeronException known && known.category() == AeronException.Category.WARN;
    if (!warning) {
      sinks.failed(cause);
    }
  }

  @Override
  public void connect(Workload workload, String endpoint) throws IOException {
    // One record to a claim where each is flushed: what is claimed cannot grow smaller.
    int claimSize = workload.paced() ? workload.framedSize() : workload.writeSize();
    producers = new AeronProducer[workload.producers()];
    for (int i = 0; i < producers.length; i++) {
      AeronChannel[] channels = new AeronChannel[workload.consumers()];
      for (int consumer = 0; consumer < channels.length; consumer++) {
        ExclusivePublication publication =
            aeron.addExclusivePublication(channelTo(consumer), FIRST_STREAM + consumer);
        await(publication::isConnected, "a publication that is not connected");
        channels[consumer] = new AeronChannel(publication, claimSize);
      }
      producers[i] = new AeronProducer(channels);
    }
  }

  private String channelTo(int consumer) throws IOException {
    if (!udp) {
      return "aeron:ipc";
    }
    Subscription subscription = subscriptions.get(consumer);
    await(() -> subscription.resolvedEndpoint() != null, "a subscription without a port");
    return "aeron:udp?endpoint=" + subscription.resolvedEndpoint();
  }

  private static void await(BooleanSupplier condition, String otherwise) throws IOException {
    IdleStrategy idle = backOff();
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new IOException("after " + PATIENCE + " there is " + otherwise);
      }
      idle.idle();
    }
  }

  @Override
  public Producer producer(int index) {
    return producers[index];
  }

  @Override
  public String version() {
    return AeronVersion.VERSION;
  }

  @Override
  public void close() throws IOException {
    receivers.forEach(Receiver::stop);
    try {
      for (Thread thread : threads) {
        thread.join(PATIENCE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while stopping", e);
    }
    if (aeron != null) {
      aeron.close();
    }
    if (driver != null) {
      driver.close();
    }
  }
}

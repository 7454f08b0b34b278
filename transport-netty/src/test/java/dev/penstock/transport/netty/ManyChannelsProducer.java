package dev.penstock.transport.netty;

import static dev.penstock.transport.netty.ManyChannels.hear;
import static dev.penstock.transport.netty.ManyChannels.say;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.FinishResult;
import dev.penstock.transport.OfferResult;
import dev.penstock.transport.Outcome;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportOptions;
import dev.penstock.transport.TransportSnapshot.ChannelState;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** The sending JVM of {@link ManyChannelsTest}. */
final class ManyChannelsProducer {
  private static final int BURST = 20;
  private static final int STUCK_BURST = 2_000;
  private static final Duration SETTLED = Duration.ofSeconds(2);

  private final ManyChannels work;
  private final Transport node;
  private final List<OutputGate> gates = new ArrayList<>();
  private final CountDownLatch opened;
  private final ManyChannels.Tally tally = new ManyChannels.Tally();
  private final int[][] written;

  private ManyChannelsProducer(ManyChannels work) {
    this.work = work;
    this.opened = new CountDownLatch(work.channels());
    this.written = new int[work.producers()][work.consumers()];
    this.node =
        Transport.open(
            TransportOptions.builder()
                .nodeName("producers")
                .listener(
                    new TransportListener() {
                      @Override
                      public void onChannelOpened(ChannelKey channel, Direction direction) {
                        opened.countDown();
                      }
                    })
                .build());
  }

  public static void main(String[] arguments) throws Exception {
    new ManyChannelsProducer(new ManyChannels(arguments, 0)).run();
    System.exit(0); // the parent holds standard input open
  }

  private void run() throws Exception {
    say("EMPTY " + ManyChannels.memory());
    for (int producer = 0; producer < work.producers(); producer++) {
      gates.add(
          node.openOutput(
              OutputGateOptions.builder(ManyChannels.EXCHANGE, producer, work.consumers())
                  .build()));
    }
    InetSocketAddress bound = node.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    say("BOUND " + bound.getPort());
    opened.await();
    say("IDLE " + ManyChannels.memory());
    hear("write");
    writeAll();
    fillStuck();
    say("WRITTEN " + tally);
    List<CompletableFuture<FinishResult>> finished =
        gates.stream().map(OutputGate::finish).toList();
    awaitOthers();
    say("OTHERS " + ManyChannels.memory());
    for (ChannelState channel : node.snapshot().channels()) {
      if (channel.waitsFor() == WaitsFor.CONSUMER) {
        say("WAITS " + channel.key().producer() + " " + channel.key().consumer());
      } else {
        say("UNEXPECTED " + channel);
      }
    }
    say("SNAPSHOT");
    for (var result : finished) {
      result.get().orThrow();
    }
    say("PEAK " + node.defaultBudget().outputBytesPeak());
    node.close();
    say("DONE");
  }

  private void writeAll() throws InterruptedException {
    ByteBuffer message = ByteBuffer.allocate(ManyChannels.MAX_LENGTH);
    int left = work.channels();
    boolean[][] done = new boolean[work.producers()][work.consumers()];
    while (left > 0) {
      boolean moved = false;
      int behind = -1;
      for (int producer = 0; producer < work.producers(); producer++) {
        for (int consumer = 0; consumer < work.consumers(); consumer++) {
          if (done[producer][consumer]) {
            continue;
          }
          int before = written[producer][consumer];
          int most = ManyChannels.messages(producer, consumer);
          write(message, producer, consumer, Math.min(most, before + BURST));
          moved |= written[producer][consumer] > before;
          // The consumer that does not read gets what it gets.
          if (written[producer][consumer] == most || consumer == work.stuck()) {
            done[producer][consumer] = true;
            left--;
          } else if (producer == 0) {
            behind = consumer;
          }
        }
      }
      if (!moved && behind >= 0) {
        boolean room = accepted(gates.get(0).awaitRoom(behind, ManyChannels.MAX_LENGTH, SETTLED));
        if (!room) {
          say("FULL");
        }
      }
    }
  }

  private void write(ByteBuffer message, int producer, int consumer, int upTo) {
    OutputGate gate = gates.get(producer);
    while (written[producer][consumer] < upTo) {
      ManyChannels.fill(message, producer, consumer, written[producer][consumer]);
      if (!accepted(gate.offer(consumer, message))) {
        return;
      }
      written[producer][consumer]++;
      tally.add(message);
    }
  }

  /** Until nothing more goes in anywhere: credit is used up and the logs are full. */
  private void fillStuck() throws InterruptedException {
    ByteBuffer message = ByteBuffer.allocate(ManyChannels.MAX_LENGTH);
    int consumer = work.stuck();
    boolean moved = true;
    while (moved) {
      moved = false;
      Duration patience = SETTLED; // once a turn: what others hold comes back meanwhile
      for (int producer = 0; producer < work.producers(); producer++) {
        int before = written[producer][consumer];
        if (accepted(gates.get(producer).awaitRoom(consumer, ManyChannels.MAX_LENGTH, patience))) {
          write(message, producer, consumer, before + STUCK_BURST);
        } else {
          patience = Duration.ZERO;
        }
        moved |= written[producer][consumer] > before;
      }
    }
  }

  private static boolean accepted(OfferResult result) {
    if (result != OfferResult.ACCEPTED && result != OfferResult.BACK_PRESSURED) {
      throw new AssertionError("offer: " + result);
    }
    return result == OfferResult.ACCEPTED;
  }

  /** Until all channels but those of the stuck consumer have finished. */
  private void awaitOthers() {
    int others = work.channels() - work.producers();
    while (finished() < others) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private long finished() {
    long count = 0;
    for (OutputGate gate : gates) {
      Outcome[] outcomes = new Outcome[work.consumers()];
      Arrays.setAll(outcomes, gate::outcome);
      count += Arrays.stream(outcomes).filter(Outcome.FINISHED::equals).count();
    }
    return count;
  }
}

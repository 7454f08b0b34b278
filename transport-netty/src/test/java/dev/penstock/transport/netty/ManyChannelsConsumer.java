package dev.penstock.transport.netty;

import static dev.penstock.transport.netty.ManyChannels.hear;
import static dev.penstock.transport.netty.ManyChannels.say;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.MessageHandler;
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
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** The receiving JVM of {@link ManyChannelsTest}. */
final class ManyChannelsConsumer {
  private static final int POLLERS = 2;
  private static final int MESSAGES_PER_POLL = 200;

  /** One consumer's gate, and what it expects of each of its producers. */
  private static final class Reader implements MessageHandler {
    private final int consumer;
    private final InputGate gate;
    private final int[] next;
    private final ManyChannels.Tally tally = new ManyChannels.Tally();

    /** The polling thread's. */
    private ByteBuffer expected;

    Reader(int consumer, int producers, InputGate gate) {
      this.consumer = consumer;
      this.gate = gate;
      this.next = new int[producers];
    }

    @Override
    public void onMessage(int producer, ByteBuffer message) {
      ManyChannels.fill(expected, producer, consumer, next[producer]);
      if (!message.equals(expected)) {
        throw new AssertionError(
            "channel "
                + producer
                + "/"
                + consumer
                + ": message "
                + next[producer]
                + " is not what was written, it says it is "
                + message.getInt(message.position() + 8));
      }
      next[producer]++;
      tally.add(message);
    }
  }

  private final ManyChannels work;
  private final int port;
  private final Transport node;
  private final List<Reader> readers = new ArrayList<>();
  private final CountDownLatch opened;

  private ManyChannelsConsumer(int port, ManyChannels work) {
    this.work = work;
    this.port = port;
    this.opened = new CountDownLatch(work.channels());
    this.node =
        Transport.open(
            TransportOptions.builder()
                .nodeName("consumers")
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
    new ManyChannelsConsumer(Integer.parseInt(arguments[0]), new ManyChannels(arguments, 1)).run();
    System.exit(0); // the parent holds standard input open
  }

  private void run() throws Exception {
    say("EMPTY " + ManyChannels.memory());
    InetSocketAddress producers = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int consumer = 0; consumer < work.consumers(); consumer++) {
      InputGate gate =
          node.openInput(InputGateOptions.builder(ManyChannels.EXCHANGE, consumer).build());
      for (int producer = 0; producer < work.producers(); producer++) {
        gate.addProducer(producer, producers);
      }
      gate.announceProducers(work.producers());
      readers.add(new Reader(consumer, work.producers(), gate));
    }
    opened.await();
    say("IDLE " + ManyChannels.memory());
    hear("poll");
    ExecutorService pollers = Executors.newFixedThreadPool(POLLERS);
    List<Future<?>> polled = new ArrayList<>();
    for (int poller = 0; poller < POLLERS; poller++) {
      List<Reader> own = new ArrayList<>();
      for (Reader reader : readers) {
        if (reader.consumer % POLLERS == poller && reader.consumer != work.stuck()) {
          own.add(reader);
        }
      }
      polled.add(pollers.submit(() -> pollToEnd(own)));
    }
    for (Future<?> poller : polled) {
      poller.get();
    }
    pollers.shutdown();
    say("OTHERS " + ManyChannels.memory());
    for (ChannelState channel : node.snapshot().channels()) {
      if (channel.waitsFor() == WaitsFor.LOCAL_CONSUMER) {
        say("WAITS " + channel.key().producer() + " " + channel.key().consumer());
      } else {
        say("UNEXPECTED " + channel);
      }
    }
    say("SNAPSHOT");
    hear("read");
    pollToEnd(new ArrayList<>(List.of(readers.get(work.stuck()))));
    ManyChannels.Tally total = new ManyChannels.Tally();
    readers.forEach(reader -> total.add(reader.tally));
    say("READ " + total);
    say("PEAK " + node.defaultBudget().inputBytesPeak());
    node.close();
    say("DONE");
  }

  private static void pollToEnd(List<Reader> readers) {
    ByteBuffer expected = ByteBuffer.allocate(ManyChannels.MAX_LENGTH);
    readers.forEach(reader -> reader.expected = expected);
    while (!readers.isEmpty()) {
      int count = 0;
      Iterator<Reader> each = readers.iterator();
      while (each.hasNext()) {
        Reader reader = each.next();
        count += reader.gate.poll(reader, MESSAGES_PER_POLL);
        if (reader.gate.isEnded()) {
          reader.gate.close();
          each.remove();
        }
      }
      if (count == 0) {
        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      }
    }
  }
}

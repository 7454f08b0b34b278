package dev.penstock.transport.netty;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What two JVMs exchange over thousands of channels: few messages on most, many on some, of all
 * lengths, each of which says who it is. Both sides compute what is to come.
 */
final class ManyChannels {
  static final long EXCHANGE = 7;
  static final int MAX_LENGTH = 1_000;
  private static final int HEAD_BYTES = 12;

  private final int producers;
  private final int consumers;

  /** The consumer that reads nothing until it is told. */
  private final int stuck;

  ManyChannels(String[] arguments, int from) {
    producers = Integer.parseInt(arguments[from]);
    consumers = Integer.parseInt(arguments[from + 1]);
    stuck = Integer.parseInt(arguments[from + 2]);
  }

  int producers() {
    return producers;
  }

  int consumers() {
    return consumers;
  }

  int stuck() {
    return stuck;
  }

  int channels() {
    return producers * consumers;
  }

  /** Messages on a channel whose consumer reads: one in a hundred channels has far more. */
  static int messages(int producer, int consumer) {
    long mixed = mix(producer, consumer, -1);
    return mixed % 100 == 0 ? 2_000 + (int) (mixed / 100 % 4_000) : 100 + (int) (mixed / 100 % 300);
  }

  /** Writes a message's bytes and flips the buffer. */
  static void fill(ByteBuffer buffer, int producer, int consumer, int number) {
    long mixed = mix(producer, consumer, number);
    int length = mixed % 50 == 0 ? MAX_LENGTH : HEAD_BYTES + (int) (mixed / 50 % 200);
    buffer.clear().putInt(producer).putInt(consumer).putInt(number);
    byte filling = (byte) mixed;
    while (buffer.position() < length) {
      buffer.put(filling++);
    }
    buffer.flip();
  }

  private static long mix(long producer, long consumer, long number) {
    long mixed = producer * 0x9E3779B97F4A7C15L + consumer * 0xC2B2AE3D27D4EB4FL + number;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return (mixed ^ mixed >>> 31) & Long.MAX_VALUE;
  }

  /** Counts and sums that do not depend on the order between channels. */
  static final class Tally {
    private long messages;
    private long bytes;
    private long sum;

    void add(ByteBuffer message) {
      messages++;
      bytes += message.remaining();
      sum += message.hashCode();
    }

    void add(Tally other) {
      messages += other.messages;
      bytes += other.bytes;
      sum += other.sum;
    }

    @Override
    public String toString() {
      return "messages=" + messages + " bytes=" + bytes + " sum=" + sum;
    }
  }

  // --- What the children say and hear

  @SuppressWarnings("SystemOut") // the parent reads it
  static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Waits for a word of the parent; ends the child when the parent is gone. */
  static void hear(String word) throws IOException {
    String line = IN.readLine();
    if (!word.equals(line)) {
      say("expected " + word + ", heard " + line);
      System.exit(3);
    }
  }

  private static final BufferedReader IN =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  /** Memory of this JVM after a collection, and the processor time that it has used. */
  static String memory() {
    System.gc();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    return "heap=" + heap + " direct=" + direct + " cpuMillis=" + cpu.toMillis();
  }
}

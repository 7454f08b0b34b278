package dev.penstock.examples.demo;

import dev.penstock.examples.support.ChildJvm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What the nodes said about a phase, and whether it adds up. */
final class PhaseResult {
  private final Tally[][] sent;
  private final Tally[][] received;
  private final Histogram latencies = new Histogram(3);
  private long lastNanos = Long.MIN_VALUE;
  private long bytesOnTheWire;
  private long resumes;
  private long retransmitted;
  private long outputPeak;
  private long inputPeak;

  PhaseResult(int producers, int consumers) {
    this.sent = new Tally[producers][consumers];
    this.received = new Tally[producers][consumers];
  }

  /** Takes a line if it is part of a result. */
  void take(ChildJvm.Line line) {
    switch (line.word()) {
      case "SENT" -> put(sent, line.values());
      case "RECEIVED" -> put(received, line.values());
      case "LAST" -> lastNanos = Math.max(lastNanos, Long.parseLong(line.values().get(0)));
      case "LATENCIES" ->
          latencies.add(
              Histogram.decodeFromByteBuffer(
                  ByteBuffer.wrap(Base64.getDecoder().decode(line.values().get(0))), 0));
      case "NODE" -> takeNode(line.values().stream().map(Long::valueOf).toList());
      default -> {
        // not about results
      }
    }
  }

  private static void put(Tally[][] tallies, List<String> words) {
    int producer = Integer.parseInt(words.get(0));
    int consumer = Integer.parseInt(words.get(1));
    tallies[producer][consumer] = Tally.parse(words.subList(2, words.size()));
  }

  private void takeNode(List<Long> values) {
    bytesOnTheWire += values.get(0);
    resumes += values.get(1);
    retransmitted += values.get(2);
    outputPeak = Math.max(outputPeak, values.get(3));
    inputPeak = Math.max(inputPeak, values.get(4));
  }

  /** What does not add up, per producer and consumer; empty if all is well. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (int producer = 0; producer < sent.length; producer++) {
      for (int consumer = 0; consumer < sent[producer].length; consumer++) {
        Tally from = sent[producer][consumer];
        Tally to = received[producer][consumer];
        String channel = "producer " + producer + " to consumer " + consumer + ": ";
        if (from == null || to == null) {
          faults.add(channel + "no count was reported");
        } else if (!from.sameRecords(to)) {
          faults.add(channel + "sent [" + from.text() + "], received [" + to.text() + "]");
        }
      }
    }
    if (received().records() == 0) {
      faults.add("no records at all");
    }
    return faults;
  }

  long lost() {
    long lost = 0;
    for (int producer = 0; producer < sent.length; producer++) {
      for (int consumer = 0; consumer < sent[producer].length; consumer++) {
        Tally from = sent[producer][consumer];
        Tally to = received[producer][consumer];
        if (from != null && to != null) {
          lost += to.lost() + Tally.lostAtEnd(from, to);
        }
      }
    }
    return lost;
  }

  /** Sums over all channels. */
  Tally received() {
    Tally sum = new Tally();
    for (Tally[] ofProducer : received) {
      for (Tally tally : ofProducer) {
        if (tally != null) {
          sum.add(tally);
        }
      }
    }
    return sum;
  }

  /** Of paced records, from due to handled, in nanoseconds. */
  Histogram latencies() {
    return latencies;
  }

  /** When the last record was taken. */
  long lastNanos() {
    return lastNanos;
  }

  /** Sent by all nodes since they started, frames and handshakes included. */
  long bytesOnTheWire() {
    return bytesOnTheWire;
  }

  /** How often lanes resumed since the nodes started; each end counts. */
  long resumes() {
    return resumes;
  }

  /** DATA frames sent again since the nodes started. */
  long retransmitted() {
    return retransmitted;
  }

  /** The most log memory that a producers' node has held. */
  long outputPeak() {
    return outputPeak;
  }

  /** The most credit that a consumers' node has granted. */
  long inputPeak() {
    return inputPeak;
  }
}

package dev.penstock.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.transport.*;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Two nodes, one channel, one message. They would as well be in two JVMs. */
final class Hello {
  public static void main(String[] args) throws Exception {
    Duration patience = Duration.ofSeconds(10);
    try (Transport sender = Transport.open(TransportOptions.defaults());
        Transport receiver = Transport.open(TransportOptions.defaults())) {
      InetSocketAddress address = sender.bind(new InetSocketAddress("localhost", 0));
      // In exchange 1: producer 0, which writes for one consumer, and consumer 0.
      OutputGate out = sender.openOutput(OutputGateOptions.builder(1, 0, 1).build());
      InputGate in = receiver.openInput(InputGateOptions.builder(1, 0).build());
      in.addProducer(0, address);
      in.announceProducers(1);
      OfferResult result = out.offer(0, ByteBuffer.wrap("Hello".getBytes(UTF_8)), patience);
      var finished = out.finish(patience);
      while (!in.isEnded()) {
        in.poll((from, bytes) -> System.out.println(UTF_8.decode(bytes)), 100, patience);
      }
      finished.join().orThrow();
      System.out.println(result + ", taken and confirmed");
    }
  }
}

package dev.penstock.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transport.InputGate;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportSnapshot.WaitsFor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whichever end of a channel comes first, and whichever side dials: the gates meet. */
public abstract class RendezvousContract extends TransportFixture {
  /** For the implementation's test. */
  protected RendezvousContract() {}

  @Test
  void shouldServeAConsumerThatComesAfterTheProducerFinished() throws Exception {
    Transport producers = node();
    OutputGate out = output(producers, 1, 0, 1);
    send(out, 0, message(1, 100));
    var finished = out.finish();
    Received received = new Received();
    InputGate in = input(node(), 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    pollToEnd(in, received);
    get(finished).orThrow();
    assertMessage(received.messages(0).remove(), 1, 100);
  }

  @Test
  void shouldServeAConsumerThatComesBeforeTheProducer() throws Exception {
    Transport producers = node();
    Transport consumers = node();
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, bind(producers));
    in.announceProducers(1);
    await("the channel waits for its producer", () -> waits(consumers, 0, 0, WaitsFor.PEER_GATE));
    get(consumers.dial((InetSocketAddress) producers.boundAddresses().get(0)));
    OutputGate out = output(producers, 1, 0, 1);
    send(out, 0, message(1, 100));
    var finished = out.finish();
    Received received = new Received();
    pollToEnd(in, received);
    get(finished).orThrow();
    assertMessage(received.messages(0).remove(), 1, 100);
  }

  @Test
  void shouldDialANodeThatIsNotThereYet() throws Exception {
    InetSocketAddress address;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = (InetSocketAddress) free.getLocalSocketAddress();
    }
    Transport producers = node();
    Transport consumers = node();
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0, address);
    in.announceProducers(1);
    OutputGate out = output(producers, 1, 0, 1);
    send(out, 0, message(1, 100));
    var finished = out.finish();
    assertThat(in.poll(new Received(), 1, Duration.ofMillis(50))).isZero();
    producers.bind(address);
    Received received = new Received();
    pollToEnd(in, received);
    get(finished).orThrow();
    assertThat(received.messages(0)).hasSize(1);
  }

  @Test
  void shouldPushToAConsumerThatIsDialed() throws Exception {
    Transport consumers = node();
    Transport producers = node();
    OutputGate out =
        producers.openOutput(OutputGateOptions.builder(1, 0, 1).pushTo(0, bind(consumers)).build());
    send(out, 0, message(1, 100));
    InputGate in = input(consumers, 1, 0);
    in.addProducer(0);
    in.announceProducers(1);
    var finished = out.finish();
    Received received = new Received();
    pollToEnd(in, received);
    get(finished).orThrow();
    assertMessage(received.messages(0).remove(), 1, 100);
  }

  @Test
  void shouldTakeProducersThatAppearOverTime() throws Exception {
    Transport producers = node();
    InetSocketAddress address = bind(producers);
    InputGate in = input(node(), 1, 0);
    Received received = new Received();
    for (int producer = 0; producer < 5; producer++) {
      OutputGate out = output(producers, 1, producer, 1);
      send(out, 0, message(producer, 50));
      var finished = out.finish();
      in.addProducer(producer, address);
      int number = producer;
      pollUntil(in, received, () -> received.ended().contains(number));
      get(finished).orThrow();
      assertThat(in.isEnded()).isFalse();
    }
    in.announceProducers(5);
    assertThat(in.isEnded()).isTrue();
    assertThat(in.poll(received, 1, PATIENCE)).isZero();
    for (int producer = 0; producer < 5; producer++) {
      assertMessage(received.messages(producer).remove(), producer, 50);
    }
  }

  @Test
  void shouldEndAtOnceWithoutProducers() throws Exception {
    InputGate in = input(node(), 1, 0);
    assertThat(in.isEnded()).isFalse();
    in.announceProducers(0);
    assertThat(in.isEnded()).isTrue();
    assertThat(in.poll(new Received(), 10, PATIENCE)).isZero();
  }
}

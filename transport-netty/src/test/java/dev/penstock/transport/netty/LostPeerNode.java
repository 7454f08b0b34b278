package dev.penstock.transport.netty;

import static dev.penstock.transport.netty.ManyChannels.say;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.InputGate;
import dev.penstock.transport.InputGateOptions;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import dev.penstock.transport.TransportException;
import dev.penstock.transport.TransportListener;
import dev.penstock.transport.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** The JVM of {@link LostPeerTest} to which something happens. */
final class LostPeerNode {
  private static final Duration A_WHILE = Duration.ofMillis(100);

  private final Transport node;

  private LostPeerNode(Duration resumeWindow) {
    node =
        Transport.open(
            LostPeerTest.quick(TransportOptions.builder(), resumeWindow)
                .listener(
                    new TransportListener() {
                      @Override
                      public void onLaneBroken(
                          SocketAddress peer, int lane, ErrorCode code, String reason) {
                        say("BROKEN " + code + " " + reason);
                      }
                    })
                .build());
  }

  /** Arguments: how long channels outlive a connection; for a consumer the producer's port. */
  public static void main(String[] arguments) throws Exception {
    LostPeerNode child = new LostPeerNode(Duration.parse(arguments[0]));
    if (arguments.length == 1) {
      child.produce();
    } else {
      child.consume(Integer.parseInt(arguments[1]));
    }
    child.node.close(Duration.ZERO);
    Leaks.assertNothingHeld(child.node);
    say("DONE");
    System.exit(0); // the parent holds standard input open
  }

  /** Writes until the channel ends, or the parent says that it is enough. */
  private void produce() throws Exception {
    OutputGate out = node.openOutput(OutputGateOptions.builder(1, 0, 1).build());
    InetSocketAddress bound = node.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    say("BOUND " + bound.getPort());
    ByteBuffer message = ByteBuffer.allocate(100);
    long written = 0;
    while (out.outcome(0) == null && System.in.available() == 0) {
      message.putLong(0, written);
      if (LostPeerTest.isAccepted(out.offer(0, message, A_WHILE))) {
        written++;
      }
    }
    var result = out.finish().get();
    say("WRITTEN " + written);
    sayEnd(result.failures().get(0));
  }

  private void consume(int port) throws Exception {
    InputGate in = node.openInput(InputGateOptions.builder(1, 0).build());
    in.addProducer(0, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    in.announceProducers(1);
    CountedMessages messages = new CountedMessages();
    boolean first = true;
    while (!in.isEnded()) {
      in.poll(messages, 100, A_WHILE);
      if (first && messages.taken() > 0) {
        first = false;
        say("FIRST");
      }
    }
    say("TAKEN " + messages.taken());
    sayEnd(messages.failure());
  }

  private static void sayEnd(TransportException failure) {
    say("ENDED " + (failure == null ? "FINISHED" : failure.code()));
  }
}

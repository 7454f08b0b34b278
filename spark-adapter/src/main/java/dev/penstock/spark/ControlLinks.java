package dev.penstock.spark;

import dev.penstock.transport.OfferResult;
import dev.penstock.transport.OutputGate;
import dev.penstock.transport.OutputGateOptions;
import dev.penstock.transport.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver's channels to its executors. Messages are sent by the tracker's thread alone. */
final class ControlLinks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlLinks.class);

  /** Exchanges of data have smaller numbers. */
  private static final long FIRST_EXCHANGE = 1L << 62;

  private static final long BYTES = 64 << 10;

  private static final class Link {
    final OutputGate gate;
    final String host;
    final int port;
    final Deque<byte[]> waiting = new ArrayDeque<>();

    Link(OutputGate gate, String host, int port) {
      this.gate = gate;
      this.host = host;
      this.port = port;
    }
  }

  private final Transport transport;
  private final AtomicLong exchanges = new AtomicLong(FIRST_EXCHANGE);
  private final Map<String, Link> links = new ConcurrentHashMap<>();

  ControlLinks(Transport transport) {
    this.transport = transport;
  }

  /** Opens the channel of an executor; does not block. */
  long open(String executor, String host, int port) {
    long exchange = exchanges.getAndIncrement();
    OutputGate gate =
        transport.openOutput(
            OutputGateOptions.builder(exchange, 0, 1)
                .budget(transport.createBudget(BYTES, 1))
                .build());
    Link old = links.put(executor, new Link(gate, host, port));
    if (old != null) {
      old.gate.close();
    }
    return exchange;
  }

  /** Where an executor listens, or null if it is gone. */
  Generation.Place place(String executor) {
    Link link = links.get(executor);
    return link == null ? null : new Generation.Place(executor, link.host, link.port);
  }

  void send(String executor, Message message) {
    Link link = links.get(executor);
    if (link == null) {
      LOG.debug("executor {} is gone, {} was for it", executor, message);
      return;
    }
    link.waiting.add(MessageCodec.encode(message));
    push(executor, link);
  }

  /** Sends what found no room; called from time to time. */
  void pushWaiting() {
    links.forEach(this::push);
  }

  private void push(String executor, Link link) {
    while (!link.waiting.isEmpty()) {
      OfferResult result = link.gate.offer(0, ByteBuffer.wrap(link.waiting.peek()));
      if (result == OfferResult.BACK_PRESSURED) {
        return;
      }
      link.waiting.poll();
      if (result != OfferResult.ACCEPTED) {
        LOG.debug("the channel to executor {} answers {}", executor, result);
      }
    }
  }

  void close(String executor) {
    Link link = links.remove(executor);
    if (link != null) {
      link.gate.close();
    }
  }

  @Override
  public void close() {
    for (String executor : links.keySet()) {
      close(executor);
    }
  }
}

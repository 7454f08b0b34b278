package dev.penstock.transport.testkit;

import dev.penstock.transport.MessageHandler;
import dev.penstock.transport.TransportException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps what an input gate hands out. The lists may be read by any thread. */
public final class Received implements MessageHandler {
  private final Map<Integer, Queue<byte[]>> messages = new ConcurrentHashMap<>();
  private final Map<Integer, Queue<String>> order = new ConcurrentHashMap<>();
  private final Map<Integer, TransportException> failures = new ConcurrentHashMap<>();
  private final Queue<Integer> ended = new ConcurrentLinkedQueue<>();

  /** Creates an empty one. */
  public Received() {}

  @Override
  public void onMessage(int producer, ByteBuffer message) {
    byte[] bytes = copy(message);
    messages.computeIfAbsent(producer, p -> new ConcurrentLinkedQueue<>()).add(bytes);
    note(producer, "message " + bytes.length);
  }

  @Override
  public void onEvent(int producer, ByteBuffer event) {
    note(producer, "event " + copy(event).length);
  }

  @Override
  public void onEnd(int producer) {
    ended.add(producer);
    note(producer, "end");
  }

  @Override
  public void onFailure(int producer, TransportException failure) {
    if (failures.put(producer, failure) != null) {
      throw new AssertionError("a second failure of producer " + producer, failure);
    }
    note(producer, "failure " + failure.code());
  }

  private void note(int producer, String what) {
    order.computeIfAbsent(producer, p -> new ConcurrentLinkedQueue<>()).add(what);
  }

  private static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  /**
   * Messages of a producer, in order.
   *
   * @param producer who wrote them
   * @return live
   */
  public Queue<byte[]> messages(int producer) {
    return messages.computeIfAbsent(producer, p -> new ConcurrentLinkedQueue<>());
  }

  /**
   * What came from a producer, in order: kind and length.
   *
   * @param producer who
   * @return live
   */
  public Queue<String> order(int producer) {
    return order.computeIfAbsent(producer, p -> new ConcurrentLinkedQueue<>());
  }

  /**
   * Producers that finished.
   *
   * @return live, in order
   */
  public Queue<Integer> ended() {
    return ended;
  }

  /**
   * Why a producer's channel failed.
   *
   * @param producer who
   * @return the failure, or null
   */
  public TransportException failure(int producer) {
    return failures.get(producer);
  }
}

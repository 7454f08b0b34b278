package dev.penstock.transport;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * One consumer's way in: a channel from each of its producers, which may appear over time.
 * Producers are served in turns, so a fast one does not keep the others waiting.
 *
 * <p>One thread at a time polls a gate; all other methods may be called from any thread. Nothing
 * here blocks but {@link #poll(MessageHandler, int, Duration)}.
 */
public interface InputGate extends AutoCloseable {
  /**
   * Adds a producer that this side reaches by dialing its node. It does not matter whether the
   * producer's gate is there yet.
   *
   * @param producer its number
   * @param node where its node is bound; the own node's bound address takes the short way inside
   *     the JVM
   */
  void addProducer(int producer, InetSocketAddress node);

  /**
   * Adds a producer that dials this node, or lives in the same {@link Transport}.
   *
   * @param producer its number
   */
  void addProducer(int producer);

  /**
   * Announces how many producers there are: when so many have ended, the gate has ended. Without
   * this it never does. May be called again with another number; producers beyond it cannot be
   * added.
   *
   * @param total at least as many as have been added
   */
  void announceProducers(int total);

  /**
   * Hands out what is there. Does not block. A handler must not poll its gate.
   *
   * @param handler takes it
   * @param maxMessages how many messages, pieces and events at most; 1 or more
   * @return how many were handed out
   * @throws TransportException if a producer's channel failed and the handler does not override
   *     {@link MessageHandler#onFailure}
   */
  int poll(MessageHandler handler, int maxMessages);

  /**
   * Hands out what is there; waits for the first if nothing is.
   *
   * @param handler takes it
   * @param maxMessages how many messages, pieces and events at most; 1 or more
   * @param timeout how long to wait, of any length
   * @return how many were handed out; 0 when the time is over, or when the gate ended or was closed
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is lost
   * @throws TransportException as in {@link #poll(MessageHandler, int)}
   */
  int poll(MessageHandler handler, int maxMessages, Duration timeout) throws InterruptedException;

  /**
   * Whether all announced producers have ended and everything has been handed out.
   *
   * @return true if nothing more will come
   */
  boolean isEnded();

  /**
   * Has enough: every producer is told to stop, which is no failure for it. What is queued is
   * dropped.
   */
  void stop();

  /**
   * Has enough of one producer.
   *
   * @param producer which
   */
  void stop(int producer);

  /**
   * Gives the gate up: producers see a failure with this reason.
   *
   * @param code why; {@link ErrorCode#CANCELLED} or {@link ErrorCode#APPLICATION_ERROR}
   * @param reason for a person at the other end, no secrets
   * @throws IllegalArgumentException for another code, or without a reason
   */
  void abort(ErrorCode code, String reason);

  /**
   * Stops what is not over ({@link #stop}) and gives all memory back. Does not block; a second call
   * does nothing.
   */
  @Override
  void close();
}

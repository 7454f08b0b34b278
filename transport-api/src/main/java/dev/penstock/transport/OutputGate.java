package dev.penstock.transport;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One producer's way out: a channel to each of its consumers. Messages to one consumer arrive in
 * the order in which they were written, each once.
 *
 * <p>One thread at a time writes to a gate; {@link #abort}, {@link #close} and the queries may be
 * called from any thread. Nothing here blocks unless it says so. Writing may begin before any
 * consumer has come: the gate's memory holds what fits. Look at every {@link OfferResult}: only
 * ACCEPTED means that something was written. Timeouts may be of any length.
 *
 * <p>Consumers are numbered from 0; methods that take a number throw {@link
 * IndexOutOfBoundsException} for one that the gate does not have.
 */
public interface OutputGate extends AutoCloseable {
  /**
   * Copies a message into the log.
   *
   * @param consumer for whom, 0 to the number of consumers less one
   * @param message its bytes from position to limit; unchanged
   * @return what became of it
   */
  OfferResult offer(int consumer, ByteBuffer message);

  /**
   * Copies a message into the log; waits for memory if need be.
   *
   * @param consumer for whom
   * @param message its bytes from position to limit; unchanged
   * @param timeout how long to wait
   * @return ACCEPTED, or what else happened; BACK_PRESSURED when the time is over
   * @throws InterruptedException if the thread is interrupted while it waits; nothing was written
   *     then
   */
  OfferResult offer(int consumer, ByteBuffer message, Duration timeout) throws InterruptedException;

  /**
   * Claims room for a message, to be written in place: no copy.
   *
   * @param consumer for whom
   * @param length the message's length in bytes, 0 or more
   * @param claim bound to the room when the result is ACCEPTED
   * @return whether there is room
   */
  OfferResult tryClaim(int consumer, int length, MessageClaim claim);

  /**
   * Claims room for a message, to be written in place; waits for it if need be. Never call it on an
   * event loop.
   *
   * @param consumer for whom
   * @param length the message's length in bytes, 0 or more
   * @param claim bound to the room when the result is ACCEPTED
   * @param timeout how long to wait
   * @return ACCEPTED, or what else happened; BACK_PRESSURED when the time is over
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is claimed
   *     then
   */
  OfferResult claim(int consumer, int length, MessageClaim claim, Duration timeout)
      throws InterruptedException;

  /**
   * Waits until room for a message may be there, or the channel can take none for another reason.
   *
   * @param consumer for whom
   * @param length the message's length in bytes
   * @param timeout how long to wait
   * @return ACCEPTED when an attempt is worth it; BACK_PRESSURED when the time is over; else why
   *     none is
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  OfferResult awaitRoom(int consumer, int length, Duration timeout) throws InterruptedException;

  /**
   * Writes an event, in order with the messages.
   *
   * @param consumer for whom
   * @param event its bytes from position to limit, at most {@value #MAX_EVENT_BYTES}; unchanged
   * @return what became of it
   */
  OfferResult offerEvent(int consumer, ByteBuffer event);

  /**
   * Writes an event, in order with the messages; waits for memory if need be.
   *
   * @param consumer for whom
   * @param event its bytes from position to limit, at most {@value #MAX_EVENT_BYTES}; unchanged
   * @param timeout how long to wait
   * @return ACCEPTED, or what else happened; BACK_PRESSURED when the time is over
   * @throws InterruptedException if the thread is interrupted while it waits; nothing was written
   *     then
   */
  OfferResult offerEvent(int consumer, ByteBuffer event, Duration timeout)
      throws InterruptedException;

  /**
   * Writes an event for all consumers: in every channel that is live, or in none. Channels that
   * stopped or failed are left out.
   *
   * @param event its bytes from position to limit, at most {@value #MAX_EVENT_BYTES}; unchanged
   * @return ACCEPTED; BACK_PRESSURED if some channel has no room and none got it; CLOSED if the
   *     gate was, or if no channel is live any more
   */
  OfferResult broadcastEvent(ByteBuffer event);

  /**
   * Writes an event for all consumers, as {@link #broadcastEvent(ByteBuffer)}; waits for memory if
   * need be.
   *
   * @param event its bytes from position to limit, at most {@value #MAX_EVENT_BYTES}; unchanged
   * @param timeout how long to wait
   * @return ACCEPTED; BACK_PRESSURED when the time is over and none got it; CLOSED as above
   * @throws InterruptedException if the thread is interrupted while it waits; nothing was written
   *     then
   */
  OfferResult broadcastEvent(ByteBuffer event, Duration timeout) throws InterruptedException;

  /**
   * Longest event in bytes, unless {@code maxMessageLength} is less: each channel always keeps room
   * for one of them.
   */
  int MAX_EVENT_BYTES = 256;

  /** Sends what {@code linger} holds back. Without linger there is nothing to flush. */
  void flush();

  /**
   * Says that nothing more will be written. The result comes when every consumer's application has
   * taken everything, or the channel ended otherwise.
   *
   * @return the outcome per consumer; completed normally even if some failed; on an event loop, so
   *     continue elsewhere if you block
   */
  CompletableFuture<FinishResult> finish();

  /**
   * As {@link #finish()}, with a deadline after which the outcome of what is not confirmed is
   * UNKNOWN. After another {@code finish} the earlier deadline counts.
   *
   * @param timeout how long to wait for the consumers
   * @return the outcome per consumer
   */
  CompletableFuture<FinishResult> finish(Duration timeout);

  /**
   * Gives the gate up: consumers see a failure with this reason. Without effect on channels that
   * are over.
   *
   * @param code why; {@link ErrorCode#CANCELLED} or {@link ErrorCode#APPLICATION_ERROR}
   * @param reason for a person at the other end, no secrets
   * @throws IllegalArgumentException for another code, or without a reason
   */
  void abort(ErrorCode code, String reason);

  /**
   * How the channel to a consumer ended.
   *
   * @param consumer which
   * @return the outcome, or null while it is live
   */
  Outcome outcome(int consumer);

  /**
   * Why the channel to a consumer failed.
   *
   * @param consumer which
   * @return the failure, or null
   */
  TransportException failure(int consumer);

  /**
   * How many consumers the gate has.
   *
   * @return the number
   */
  int consumers();

  /**
   * Aborts what is not finished and gives all memory back. Does not block; a second call does
   * nothing.
   */
  @Override
  void close();
}

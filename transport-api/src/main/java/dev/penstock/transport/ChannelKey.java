package dev.penstock.transport;

/**
 * The whole identity of a channel: one direction of ordered messages from one producer to one
 * consumer.
 *
 * <p>The attempt is part of the identity, so what two attempts sent can never be mixed. All fields
 * but {@code exchange} are unsigned 32-bit numbers; {@code exchange} is an unsigned 64-bit number.
 *
 * @param exchange names the data set that is exchanged (a shuffle, a stage's edge, a topic)
 * @param producer the producer's number within the exchange
 * @param consumer the consumer's number within the exchange
 * @param attempt the run; a higher one fences all lower ones
 */
public record ChannelKey(long exchange, int producer, int consumer, int attempt) {
  @Override
  public String toString() {
    return Long.toUnsignedString(exchange)
        + "/"
        + Integer.toUnsignedString(producer)
        + "->"
        + Integer.toUnsignedString(consumer)
        + "#"
        + Integer.toUnsignedString(attempt);
  }
}

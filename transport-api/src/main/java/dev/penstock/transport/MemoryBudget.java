package dev.penstock.transport;

/**
 * Memory that many gates of one {@link Transport} share. Half of it is reserved in equal floors,
 * one per channel, which are never lent; the other half floats to the channels that have traffic.
 * Output gates keep their logs in it, input gates grant credit from it; a budget that serves gates
 * of both kinds counts each direction by itself.
 *
 * <p>Thread safe.
 */
public interface MemoryBudget {
  /**
   * All of it.
   *
   * @return bytes, per direction
   */
  long bytes();

  /**
   * How many channels it serves at most.
   *
   * @return channels, per direction
   */
  int channels();

  /**
   * Memory that outgoing channels hold now.
   *
   * @return bytes that the allocator gave, plus floors in reserve
   */
  long outputBytesUsed();

  /**
   * Credit that incoming channels hold now.
   *
   * @return bytes granted and not yet given back
   */
  long inputBytesUsed();

  /**
   * The most that outgoing channels have held.
   *
   * @return bytes
   */
  long outputBytesPeak();

  /**
   * The most credit that incoming channels have held.
   *
   * @return bytes
   */
  long inputBytesPeak();
}

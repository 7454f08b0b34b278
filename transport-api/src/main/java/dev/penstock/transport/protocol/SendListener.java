package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;

/**
 * What a sending channel tells its gate. Called on the lane's thread; must not block or call back
 * into the lane.
 */
public interface SendListener {
  /**
   * The consumer is there. Called again after each resume.
   *
   * @param flow the channel
   */
  void onOpened(SendFlow flow);

  /**
   * The source is about to be released: who writes to it from now on is to be told this. Called
   * once, before {@link #onTerminated}, which may come much later.
   *
   * @param flow the channel
   * @param outcome how the channel ends, as far as it is known
   */
  default void onReleasing(SendFlow flow, Outcome outcome) {}

  /**
   * The channel ended. Called once, after the source has been released.
   *
   * @param flow the channel
   * @param outcome how
   * @param code why; {@link ErrorCode#STOPPED} for STOPPED, null for FINISHED
   * @param text for a person
   */
  void onTerminated(SendFlow flow, Outcome outcome, ErrorCode code, String text);
}

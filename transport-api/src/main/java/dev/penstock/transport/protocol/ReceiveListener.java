package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.Outcome;

/**
 * What a receiving channel tells its gate. Called on the lane's thread; must not block or call back
 * into the lane.
 */
public interface ReceiveListener {
  /**
   * The producer is there. Called again after each resume.
   *
   * @param flow the channel
   */
  void onOpened(ReceiveFlow flow);

  /**
   * A DATA frame was accepted: the shell takes its payload now.
   *
   * @param flow the channel
   * @param position position of the first byte
   * @param sequence messages that ended before it
   * @param messages messages that end in it
   * @param flags as in {@link dev.penstock.transport.wire.Frames#data}
   * @param length record bytes
   * @param payloadCrc CRC32C of the payload, to be checked before anything is handed out; 0 when
   *     switched off
   */
  void onData(
      ReceiveFlow flow,
      long position,
      long sequence,
      int messages,
      int flags,
      int length,
      int payloadCrc);

  /**
   * The sender announced records that the credit it has does not cover. {@link
   * ReceiveFlow#notifyAt()} and {@link ReceiveFlow#senderStarved()} answer otherwise from now on:
   * ask again.
   *
   * @param flow the channel
   */
  default void onStarved(ReceiveFlow flow) {}

  /**
   * The sender is done and everything has been received: {@link ReceiveFlow#finalPosition()} is
   * known.
   *
   * @param flow the channel
   */
  void onEnd(ReceiveFlow flow);

  /**
   * The channel ended. Called once, after its credit has been settled.
   *
   * @param flow the channel
   * @param outcome FINISHED when the application has taken the last record; ABORTED when the
   *     producer or this side gave the channel up, else FAILED or STOPPED
   * @param code why; null for FINISHED
   * @param text for a person
   */
  void onTerminated(ReceiveFlow flow, Outcome outcome, ErrorCode code, String text);
}

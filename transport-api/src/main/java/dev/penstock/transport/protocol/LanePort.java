package dev.penstock.transport.protocol;

import dev.penstock.transport.ChannelKey;
import dev.penstock.transport.ErrorCode;
import dev.penstock.transport.wire.Role;

/**
 * What a lane asks of the shell around it. Called on the lane's thread; must not call back into the
 * lane.
 */
public interface LanePort {
  /**
   * Makes a connection; {@link Lane#connected} or {@link Lane#connectFailed} answers.
   *
   * @param epoch the connection's number, one higher than any before
   */
  void connect(int epoch);

  /**
   * A number for the back-off's jitter.
   *
   * @return 0 to 1
   */
  double jitter();

  /**
   * Gives the connection up; {@link Lane#disconnected} need not follow.
   *
   * @param afterWriting whether what is due (GOAWAY) should be written first
   * @param code why
   * @param text for a person
   */
  void disconnect(boolean afterWriting, ErrorCode code, String text);

  /** Both sides have restated: the lane is up. */
  void up();

  /**
   * The lane is over, and with it its session.
   *
   * @param code why
   * @param text for a person
   */
  void dead(ErrorCode code, String text);

  /**
   * The lane opens no further channels, because the peer drains or the channel numbers are used up:
   * open further ones on another session. Called once.
   */
  void peerDraining();

  /**
   * The peer opened a channel: finds the gate for it. Only asked while the lane is up.
   *
   * @param number the channel's number on this lane
   * @param role what this side would be
   * @param key the channel
   * @return what to do
   */
  Admission admit(int number, Role role, ChannelKey key);

  /**
   * A channel that {@link #admit} had wait no longer waits.
   *
   * @param number the channel's number
   * @param role what this side would have been
   * @param key the channel
   */
  void stoppedWaiting(int number, Role role, ChannelKey key);

  /**
   * An answered or opened channel is over and forgotten.
   *
   * @param flow the channel
   */
  void forgotten(Flow flow);
}

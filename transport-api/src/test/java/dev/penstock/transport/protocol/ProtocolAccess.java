package dev.penstock.transport.protocol;

/** Lets the test kit look into lanes, and begin where a long life would have led. */
public final class ProtocolAccess {
  private ProtocolAccess() {}

  /**
   * The channel with a number.
   *
   * @param lane the lane
   * @param number the channel's number
   * @return the channel's end, null if there is none
   */
  public static Flow flow(Lane lane, int number) {
    return lane.core().channels().get(number);
  }

  /**
   * The lane's channels.
   *
   * @param lane the lane
   * @return their numbers, ascending
   */
  public static int[] numbers(Lane lane) {
    return java.util.Arrays.stream(lane.core().channels().sorted())
        .mapToInt(Flow::number)
        .toArray();
  }

  /**
   * Whether a channel waits for a gate or was refused one.
   *
   * @param flow a channel's end
   * @return true if it has no gate
   */
  public static boolean hasNoGate(Flow flow) {
    return flow instanceof WaitingFlow;
  }

  /**
   * Whether an end only waits for a confirmation.
   *
   * @param flow a channel's end
   * @return true if its terminal is sent or to be sent
   */
  public static boolean isTerminal(Flow flow) {
    return flow.terminal();
  }

  /**
   * Whether a sending channel waits for its turn.
   *
   * @param flow a channel's end
   * @return true if it is in its lane's queue
   */
  public static boolean isReady(SendFlow flow) {
    return flow.ready;
  }

  /**
   * Whether a sending channel has sent more than its share and sits out its next turn.
   *
   * @param flow a channel's end
   * @param quantum bytes that a turn adds to its share
   * @return true if its next turn passes without a frame
   */
  public static boolean isInDebt(SendFlow flow, int quantum) {
    return flow.deficit + quantum <= 0;
  }

  /**
   * Passes channel numbers over.
   *
   * @param lane a lane that has opened nothing
   * @param count how many numbers are to be left
   */
  public static void leaveNumbers(Lane lane, int count) {
    lane.core().channels().numbers().leave(count);
  }
}

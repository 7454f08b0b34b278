package dev.penstock.transport;

import java.util.List;

/**
 * How an {@link OutputGate} ended.
 *
 * @param outcomes per consumer, by its number
 * @param failures per consumer, by its number: why, or null
 */
public record FinishResult(List<Outcome> outcomes, List<TransportException> failures) {
  /**
   * Copies its arguments.
   *
   * @param outcomes per consumer
   * @param failures per consumer; entries may be null
   */
  public FinishResult {
    outcomes = List.copyOf(outcomes);
    failures = java.util.Collections.unmodifiableList(new java.util.ArrayList<>(failures));
  }

  /**
   * Whether every consumer took everything or said that it has enough.
   *
   * @return true if nothing failed and nothing is unknown
   */
  public boolean isComplete() {
    return outcomes.stream().allMatch(o -> o == Outcome.FINISHED || o == Outcome.STOPPED);
  }

  /**
   * Throws the first failure, if there is one.
   *
   * @throws TransportException if some channel failed, was aborted, or its outcome is unknown
   */
  public void orThrow() {
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome outcome = outcomes.get(i);
      if (outcome != Outcome.FINISHED && outcome != Outcome.STOPPED) {
        TransportException failure = failures.get(i);
        throw failure != null
            ? failure
            : new TransportException(ErrorCode.DEADLINE_EXCEEDED, "consumer " + i + ": " + outcome);
      }
    }
  }
}

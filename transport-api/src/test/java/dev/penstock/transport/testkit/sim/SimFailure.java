package dev.penstock.transport.testkit.sim;

/** An invariant does not hold, or somebody waits for ever. */
final class SimFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  SimFailure(String message) {
    super(message);
  }
}

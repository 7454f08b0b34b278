package dev.penstock.transport.protocol;

import dev.penstock.transport.ErrorCode;

/** The answer to a channel that the peer opens. */
public sealed interface Admission {
  /** No gate yet: the channel waits; the shell answers later with {@link Lane#answer}. */
  Admission WAIT = new Wait();

  /** See {@link #WAIT}. */
  record Wait() implements Admission {}

  /**
   * The gate is there. The shell is given the flow by {@code onFlow}.
   *
   * @param binding what the gate gives
   * @param onFlow told the flow before anything else happens to it
   */
  record Accept(Binding binding, java.util.function.Consumer<Flow> onFlow) implements Admission {}

  /**
   * The channel is refused.
   *
   * @param code why
   * @param text for a person
   */
  record Refuse(ErrorCode code, String text) implements Admission {}
}

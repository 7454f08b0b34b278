package dev.penstock.transport.netty;

import dev.penstock.transport.ErrorCode;

/**
 * How a channel ended, as its consumer is told.
 *
 * @param code why; null when the producer finished and everything has been handed out
 * @param text for a person
 */
record Ending(ErrorCode code, String text) {
  static final Ending FINISHED = new Ending(null, "");

  boolean failed() {
    return code != null;
  }
}

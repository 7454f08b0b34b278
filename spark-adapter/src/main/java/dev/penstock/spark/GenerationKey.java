package dev.penstock.spark;

import java.io.Serializable;

/**
 * Names one run of a shuffle's writers, on the wire, too.
 *
 * @param exchange issued by the driver for (shuffle, consuming stage, index)
 * @param attempt the consuming stage's attempt; a higher one fences lower ones
 */
record GenerationKey(long exchange, int attempt) implements Serializable {
  @Override
  public String toString() {
    return exchange + "#" + attempt;
  }
}

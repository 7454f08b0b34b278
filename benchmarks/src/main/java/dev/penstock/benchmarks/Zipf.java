package dev.penstock.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws from a Zipf distribution with exponent 1: the n-th most frequent comes up 1/n as often as
 * the first.
 */
final class Zipf {
  private Zipf() {}

  /**
   * Draws numbers.
   *
   * @param values numbers are 0 to {@code values - 1}; 0 is the most frequent
   * @param draws how many
   */
  static int[] draw(int values, int draws, SplittableRandom random) {
    double[] cumulated = new double[values];
    double sum = 0;
    for (int i = 0; i < values; i++) {
      sum += 1.0 / (i + 1);
      cumulated[i] = sum;
    }
    int[] drawn = new int[draws];
    for (int i = 0; i < draws; i++) {
      int at = Arrays.binarySearch(cumulated, random.nextDouble() * sum);
      drawn[i] = Math.min(values - 1, at < 0 ? -at - 1 : at);
    }
    return drawn;
  }
}

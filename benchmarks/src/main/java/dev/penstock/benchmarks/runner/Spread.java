package dev.penstock.benchmarks.runner;

import java.util.Arrays;
import java.util.Collection;

/** Median, smallest and largest of some values. */
record Spread(double median, double min, double max) {

  static Spread of(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Spread(median(sorted), sorted[0], sorted[sorted.length - 1]);
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : Arrays.stream(sorted, middle - 1, middle + 1).average().orElseThrow();
  }
}

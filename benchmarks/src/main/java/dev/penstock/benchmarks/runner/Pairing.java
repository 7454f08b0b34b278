package dev.penstock.benchmarks.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ratios of samples to those of another system that ran close to them. */
final class Pairing {
  private final List<Sample> inOrder;

  /**
   * @param inOrder all samples, in the order in which they ran
   */
  Pairing(List<Sample> inOrder) {
    this.inOrder = List.copyOf(inOrder);
  }

  /**
   * Divides each value of one system by the mean of what the other reached just before and just
   * after.
   *
   * @return one ratio per repetition that has a neighbour, possibly none
   */
  List<Double> ratios(
      String workload, String system, String otherWorkload, String otherSystem, String metric) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < inOrder.size(); i++) {
      Sample sample = inOrder.get(i);
      if (is(sample, workload, system) && sample.metrics().containsKey(metric)) {
        double value = sample.metrics().get(metric);
        if (workload.equals(otherWorkload) && system.equals(otherSystem)) {
          ratios.add(1.0);
        } else {
          neighbours(i, otherWorkload, otherSystem, metric)
              .ifPresent(other -> ratios.add(value / other));
        }
      }
    }
    return ratios;
  }

  private Optional<Double> neighbours(int index, String workload, String system, String metric) {
    List<Double> values = new ArrayList<>(2);
    find(index, -1, workload, system, metric).ifPresent(values::add);
    find(index, 1, workload, system, metric).ifPresent(values::add);
    // Of nothing there is no multiple: a system that allocates nothing is no measure for others.
    return values.stream().mapToDouble(Double::doubleValue).average().stream()
        .filter(mean -> mean != 0)
        .boxed()
        .findFirst();
  }

  private Optional<Double> find(int from, int step, String workload, String system, String metric) {
    for (int i = from + step; i >= 0 && i < inOrder.size(); i += step) {
      Sample candidate = inOrder.get(i);
      if (is(candidate, workload, system) && candidate.metrics().containsKey(metric)) {
        return Optional.of(candidate.metrics().get(metric));
      }
    }
    return Optional.empty();
  }

  private static boolean is(Sample sample, String workload, String system) {
    return sample.workload().equals(workload) && sample.system().equals(system);
  }
}

package dev.penstock.benchmarks.runner;

import java.util.List;

/** How much of an unfinished run can be used. */
final class Resume {
  private Resume() {}

  /**
   * The longest beginning of the plan that was run without a gap, without its last stretch: what
   * follows must begin with an anchor of its own, since speed may have changed since.
   */
  static List<Sample> usable(List<Case> plan, List<Sample> samples) {
    int same = 0;
    while (same < samples.size() && same < plan.size() && isOf(plan.get(same), samples.get(same))) {
      same++;
    }
    if (same == plan.size()) {
      return samples.subList(0, same);
    }
    while (same > 0 && !plan.get(same).isAnchor()) {
      same--;
    }
    return samples.subList(0, same);
  }

  private static boolean isOf(Case planned, Sample sample) {
    return planned.workload().name().equals(sample.workload())
        && planned.system().id().equals(sample.system())
        && planned.repetition() == sample.repetition();
  }
}

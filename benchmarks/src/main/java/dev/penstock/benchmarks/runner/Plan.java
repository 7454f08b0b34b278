package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Workload;
import java.util.ArrayList;
import java.util.List;

/** The order in which cases run: systems in turn, with the anchor in between. */
final class Plan {
  private final List<SystemSpec> systems;
  private final SystemSpec anchor;
  private final int casesBetweenAnchors;
  private final List<Case> cases = new ArrayList<>();
  private int sinceAnchor;

  private Plan(List<SystemSpec> systems, SystemSpec anchor, int casesBetweenAnchors) {
    this.systems = systems;
    this.anchor = anchor;
    this.casesBetweenAnchors = casesBetweenAnchors;
  }

  /**
   * Orders the cases.
   *
   * @param workloads in the order in which they are run within each repetition
   * @param systems those to compare; the anchor is added where it is missing
   * @param anchor the system that frames the others
   * @param repetitions how often everything is run
   * @param casesBetweenAnchors how many cases may run before the anchor has its turn again, at
   *     least 1
   */
  static List<Case> of(
      List<Workload> workloads,
      List<SystemSpec> systems,
      SystemSpec anchor,
      int repetitions,
      int casesBetweenAnchors) {
    Plan plan = new Plan(systems, anchor, casesBetweenAnchors);
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Workload workload : workloads) {
        plan.addAll(workload, repetition, repetition == repetitions);
      }
    }
    return plan.cases;
  }

  private void addAll(Workload workload, int repetition, boolean last) {
    Workload ofAnchor = Catalogue.anchorWorkload(workload);
    if (!endsWithAnchor(ofAnchor)) {
      addAnchor(ofAnchor, repetition);
    }
    for (SystemSpec system : systems) {
      boolean doneAsAnchor = system.id().equals(anchor.id()) && workload.equals(ofAnchor);
      if (doneAsAnchor || !system.takes().test(workload)) {
        continue;
      }
      if (sinceAnchor == casesBetweenAnchors) {
        addAnchor(ofAnchor, repetition);
      }
      cases.add(new Case(workload, system, repetition));
      sinceAnchor++;
    }
    if (last) {
      addAnchor(ofAnchor, repetition);
    }
  }

  private boolean endsWithAnchor(Workload ofAnchor) {
    if (cases.isEmpty()) {
      return false;
    }
    Case previous = cases.get(cases.size() - 1);
    return previous.system().id().equals(anchor.id()) && previous.workload().equals(ofAnchor);
  }

  private void addAnchor(Workload ofAnchor, int repetition) {
    cases.add(new Case(ofAnchor, anchor, repetition));
    sinceAnchor = 0;
  }
}

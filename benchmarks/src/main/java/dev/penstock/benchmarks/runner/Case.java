package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Workload;

/**
 * One JVM to be run.
 *
 * @param workload what it sends
 * @param system what is measured
 * @param repetition counted from 1
 */
record Case(Workload workload, SystemSpec system, int repetition) {

  boolean isAnchor() {
    return system.id().equals(Catalogue.ANCHOR)
        && workload.equals(Catalogue.anchorWorkload(workload));
  }
}

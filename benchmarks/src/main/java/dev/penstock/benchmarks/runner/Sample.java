package dev.penstock.benchmarks.runner;

import java.util.Map;

/**
 * What one case measured.
 *
 * @param workload name of the workload, such as {@code W2/4x4}
 * @param system identifier of the system
 * @param repetition counted from 1
 * @param version of the system
 * @param java version of the JVM
 * @param metrics values by name, in the order in which they are shown
 */
record Sample(
    String workload,
    String system,
    int repetition,
    String version,
    String java,
    Map<String, Double> metrics) {}

package dev.penstock.benchmarks.runner;

import dev.penstock.benchmarks.Parameters;
import dev.penstock.benchmarks.Workload;
import java.util.List;
import java.util.function.Predicate;

/**
 * A system as the runner starts it.
 *
 * @param id the name in the results
 * @param title what a reader of the chart sees
 * @param peer the folder under {@code benchmarks/peers} with its class path, empty for the runner's
 *     own
 * @param className the implementation of {@link dev.penstock.benchmarks.MessageSystem}
 * @param parameters its settings
 * @param jvmFlags flags that it needs beside those that all get
 * @param takes which workloads it can run
 * @param quick whether it is part of the quick profile
 */
record SystemSpec(
    String id,
    String title,
    String peer,
    String className,
    Parameters parameters,
    List<String> jvmFlags,
    Predicate<Workload> takes,
    boolean quick) {}

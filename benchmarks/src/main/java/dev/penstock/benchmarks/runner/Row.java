package dev.penstock.benchmarks.runner;

import com.google.gson.annotations.SerializedName;

/**
 * One line of the results.
 *
 * @param workload W1 to W11
 * @param caseName which variant
 * @param system identifier of the system
 * @param version of the system
 * @param metric what was measured
 * @param unit of the values
 * @param median of the repetitions
 * @param min of the repetitions
 * @param max of the repetitions
 * @param baseline the system that this workload is compared with
 * @param ratioToBaseline median of the ratios to the baseline's neighbouring runs, absent where it
 *     did not run
 * @param ratioToAnchor median of the ratios to the anchor's neighbouring runs
 * @param reps number of repetitions
 * @param java version of the JVM
 * @param machine processor, cores and kernel
 * @param command what was run
 */
record Row(
    String workload,
    @SerializedName("case") String caseName,
    String system,
    String version,
    String metric,
    String unit,
    double median,
    double min,
    double max,
    String baseline,
    @SerializedName("ratio_to_baseline") Double ratioToBaseline,
    @SerializedName("ratio_to_anchor") Double ratioToAnchor,
    int reps,
    String java,
    String machine,
    String command) {}

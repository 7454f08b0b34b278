package dev.penstock.benchmarks.runner;

import com.google.gson.annotations.SerializedName;

/**
 * What a figure is held against.
 *
 * @param workload W1 to W10
 * @param caseName which variant
 * @param system whose figure
 * @param metric which figure
 * @param versus the system that it is divided by; absent where the figure itself counts
 * @param versusCase the variant that it is divided by, absent where it is the same
 * @param bound whether more or less is better
 * @param goal the ratio to reach
 * @param spreads whether it is reached, too, when the ranges of both overlap: they cannot be told
 *     apart then
 * @param committed the ratio that this version reaches, absent where it was not measured on a quiet
 *     machine
 */
record Goal(
    String workload,
    @SerializedName("case") String caseName,
    String system,
    String metric,
    String versus,
    @SerializedName("versus_case") String versusCase,
    Bound bound,
    double goal,
    boolean spreads,
    Double committed) {

  /** On which side of the goal the ratio must be. */
  enum Bound {
    @SerializedName("at_least")
    AT_LEAST("at least") {
      @Override
      boolean keeps(double ratio, double limit) {
        return ratio >= limit;
      }

      @Override
      double loosened(double limit, double tolerance) {
        return limit * (1 - tolerance);
      }
    },
    @SerializedName("at_most")
    AT_MOST("at most") {
      @Override
      boolean keeps(double ratio, double limit) {
        return ratio <= limit;
      }

      @Override
      double loosened(double limit, double tolerance) {
        return limit * (1 + tolerance);
      }
    };

    private final String words;

    Bound(String words) {
      this.words = words;
    }

    abstract boolean keeps(double ratio, double limit);

    /** The limit that a figure must keep when it may be worse by this share. */
    abstract double loosened(double limit, double tolerance);

    String words() {
      return words;
    }
  }

  /** Which figure beside which, for a reader. */
  String title() {
    String title = workload + " " + caseName + " " + system + ", " + metric;
    if (versus == null) {
      return title;
    }
    String other = versusCase == null ? "" : " of " + versusCase;
    return title + ", beside " + versus + other;
  }
}

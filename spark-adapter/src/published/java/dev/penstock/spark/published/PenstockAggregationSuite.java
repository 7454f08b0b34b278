package dev.penstock.spark.published;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.streaming.StreamingAggregationSuite;

/** Spark's tests of aggregations in streaming queries, mode {@code streaming}. */
final class PenstockAggregationSuite extends StreamingAggregationSuite {
  private static final long serialVersionUID = 1L;

  private final Masters masters;

  PenstockAggregationSuite(Masters masters) {
    this.masters = masters;
  }

  @Override
  public SparkConf sparkConf() {
    return SuiteConf.of(super.sparkConf(), masters, "streaming");
  }
}

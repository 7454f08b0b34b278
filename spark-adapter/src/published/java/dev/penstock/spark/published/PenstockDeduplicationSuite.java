package dev.penstock.spark.published;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.streaming.StreamingDeduplicationSuite;

/** Spark's tests of deduplication in streaming queries, mode {@code streaming}. */
final class PenstockDeduplicationSuite extends StreamingDeduplicationSuite {
  private static final long serialVersionUID = 1L;

  private final Masters masters;

  PenstockDeduplicationSuite(Masters masters) {
    this.masters = masters;
  }

  @Override
  public SparkConf sparkConf() {
    return SuiteConf.of(super.sparkConf(), masters, "streaming");
  }
}

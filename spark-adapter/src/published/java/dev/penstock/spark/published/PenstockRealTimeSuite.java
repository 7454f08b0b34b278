package dev.penstock.spark.published;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.streaming.StreamRealTimeModeSuite;

/** Spark's tests of Real-Time Mode, mode {@code streaming}. */
final class PenstockRealTimeSuite extends StreamRealTimeModeSuite {
  private static final long serialVersionUID = 1L;

  private final Masters masters;

  PenstockRealTimeSuite(Masters masters) {
    this.masters = masters;
  }

  @Override
  public SparkConf sparkConf() {
    return SuiteConf.of(super.sparkConf(), masters, "streaming");
  }
}

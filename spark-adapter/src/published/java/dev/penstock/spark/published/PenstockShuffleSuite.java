package dev.penstock.spark.published;

import org.apache.spark.ShuffleSuite;
import org.apache.spark.SparkConf;

/** Spark's tests of a shuffle, mode {@code all}. */
abstract class PenstockShuffleSuite extends ShuffleSuite {
  private static final long serialVersionUID = 1L;

  private SparkConf conf;

  /** Asked for before this class is constructed. */
  abstract Masters masters();

  @Override
  public SparkConf conf() {
    if (conf == null) {
      conf = SuiteConf.of(super.conf(), masters(), "all");
    }
    return conf;
  }

  /** As Spark runs it. */
  static final class Own extends PenstockShuffleSuite {
    private static final long serialVersionUID = 1L;

    @Override
    Masters masters() {
      return Masters.OWN;
    }
  }

  /** With slots enough. */
  static final class Wide extends PenstockShuffleSuite {
    private static final long serialVersionUID = 1L;

    @Override
    Masters masters() {
      return Masters.WIDE;
    }
  }
}

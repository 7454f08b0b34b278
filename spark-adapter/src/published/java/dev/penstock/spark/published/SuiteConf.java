package dev.penstock.spark.published;

import dev.penstock.spark.PenstockPlugin;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * A suite's own settings and Penstock. Suites name their masters in the middle of their tests;
 * Spark's context copies the settings and puts the master in, so this is where another one can be
 * given.
 */
final class SuiteConf extends SparkConf {
  private static final long serialVersionUID = 1L;

  private final Masters masters;

  private SuiteConf(SparkConf from, Masters masters) {
    super(false);
    this.masters = masters;
    for (Tuple2<String, String> entry : from.getAll()) {
      var unused = super.set(entry._1(), entry._2());
    }
  }

  /** The suite's settings with the plugin in that mode. */
  static SparkConf of(SparkConf suite, Masters masters, String mode) {
    SuiteConf conf = new SuiteConf(suite, masters);
    conf.set("spark.plugins", PenstockPlugin.class.getName());
    conf.set("spark.penstock.mode", mode);
    conf.set("spark.executor.extraClassPath", System.getProperty("java.class.path"));
    return conf;
  }

  @Override
  public SparkConf setMaster(String master) {
    return super.setMaster(masters.master(master));
  }

  @Override
  public SparkConf clone() {
    return new SuiteConf(this, masters);
  }
}

package dev.penstock.spark;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Lets rows of a Real-Time query through a repartition without a key as they come. Spark sorts them
 * first, so that a map task that is run again makes the same rows for each reader; no row would
 * leave before the batch ends. A map task of a Real-Time query is never run again. Installed by
 * {@link PenstockPlugin} as a session extension, for the setting is the session's and each such
 * query has a session of its own.
 */
public final class PenstockExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  static final String SORT = "spark.sql.execution.sortBeforeRepartition";

  private static final Logger LOG = LoggerFactory.getLogger(PenstockExtensions.class);
  private static final String SCAN = "RealTimeStreamScanExec";
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  /** Called by Spark. */
  public PenstockExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectColumnar(
        new AbstractFunction1<>() {
          @Override
          public ColumnarRule apply(org.apache.spark.sql.SparkSession session) {
            return new Unsorted();
          }
        });
    return BoxedUnit.UNIT;
  }

  private static boolean isRealTime(SparkPlan plan) {
    if (plan.getClass().getSimpleName().equals(SCAN)) {
      return true;
    }
    for (SparkPlan child : CollectionConverters.asJava(plan.children())) {
      if (isRealTime(child)) {
        return true;
      }
    }
    return false;
  }

  /** Changes no plan: shuffles look at the setting when they are executed. */
  private static final class Unsorted extends ColumnarRule {
    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
      return new Rule<>() {
        @Override
        public SparkPlan apply(SparkPlan plan) {
          SQLConf conf = SQLConf.get();
          if (!conf.contains(SORT) && isRealTime(plan)) {
            conf.setConfString(SORT, "false");
            if (!TOLD.getAndSet(true)) {
              LOG.info("Penstock sets {}=false for Real-Time queries", SORT);
            }
          }
          return plan;
        }
      };
    }
  }
}

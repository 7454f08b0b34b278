package dev.penstock.spark;

import java.util.Collections;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the settings, installs the shuffle manager and runs the driver's node. */
final class PenstockDriver implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(PenstockDriver.class);
  private static final String MANAGER = "spark.shuffle.manager";
  private static final String EXTENSIONS = "spark.sql.extensions";
  private static final String ALLOW_LIST = "spark.sql.streaming.realTimeMode.allowlistCheck";

  private DriverNode node;

  @Override
  public Map<String, String> init(SparkContext spark, PluginContext context) {
    SparkConf conf = spark.conf();
    Settings settings = Settings.of(conf);
    for (String key : Settings.unknown(conf)) {
      LOG.warn("{} is no setting of Penstock and is ignored; docs/spark.md lists all", key);
    }
    if (settings.mode() == Mode.OFF) {
      LOG.info("Penstock is off ({}=off)", Settings.MODE);
      return Collections.emptyMap();
    }
    Nodes.checkSecurity(conf);
    String ours = PenstockShuffleManager.class.getName();
    String manager = conf.get(MANAGER, "sort");
    if (!manager.equals("sort") && !manager.equals("tungsten-sort") && !manager.equals(ours)) {
      throw new IllegalArgumentException(
          MANAGER + " is " + manager + ": Penstock installs its own; take the one or the other");
    }
    conf.set(MANAGER, ours);
    if (!conf.contains(ALLOW_LIST)) {
      conf.set(ALLOW_LIST, "false");
      LOG.info("Penstock sets {}=false: Real-Time queries may shuffle", ALLOW_LIST);
    }
    if (!conf.contains(PenstockExtensions.SORT)) {
      String ofUser = conf.get(EXTENSIONS, "");
      String added = PenstockExtensions.class.getName();
      conf.set(EXTENSIONS, ofUser.isBlank() ? added : ofUser + "," + added);
    }
    node = DriverNode.start(spark, context, settings);
    return Collections.emptyMap();
  }

  @Override
  public Object receive(Object message) {
    return MessageCodec.encode(node.receive(MessageCodec.decode((byte[]) message)));
  }

  @Override
  public void shutdown() {
    if (node != null) {
      node.close();
    }
  }
}

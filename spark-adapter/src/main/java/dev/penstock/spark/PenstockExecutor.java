package dev.penstock.spark;

import java.util.Map;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;

/** Runs this executor's node as long as the executor lives. */
final class PenstockExecutor implements ExecutorPlugin {
  private ExecutorNode node;

  @Override
  public void init(PluginContext context, Map<String, String> extraConf) {
    Settings settings = Settings.of(context.conf());
    if (settings.mode() == Mode.OFF) {
      return;
    }
    node = ExecutorNode.start(context, settings);
    node.metrics().register(context);
  }

  @Override
  public void shutdown() {
    if (node != null) {
      node.close();
    }
  }
}

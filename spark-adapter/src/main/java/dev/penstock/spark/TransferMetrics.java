package dev.penstock.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.api.plugin.PluginContext;

/** An executor's counters, for Spark's metric system. */
final class TransferMetrics {
  final LongAdder recordsWritten = new LongAdder();
  final LongAdder bytesWritten = new LongAdder();
  final LongAdder recordsRead = new LongAdder();
  final LongAdder bytesRead = new LongAdder();
  final LongAdder blockedNanos = new LongAdder();
  final AtomicLong activeWriters = new AtomicLong();
  final AtomicLong activeReaders = new AtomicLong();

  void register(PluginContext context) {
    MetricRegistry registry = context.metricRegistry();
    gauge(registry, "recordsWritten", recordsWritten);
    gauge(registry, "bytesWritten", bytesWritten);
    gauge(registry, "recordsRead", recordsRead);
    gauge(registry, "bytesRead", bytesRead);
    registry.register("writerBlockedMillis", (Gauge<Long>) () -> blockedNanos.sum() / 1_000_000);
    registry.register("activeWriters", (Gauge<Long>) activeWriters::get);
    registry.register("activeReaders", (Gauge<Long>) activeReaders::get);
  }

  private static void gauge(MetricRegistry registry, String name, LongAdder adder) {
    registry.register(name, (Gauge<Long>) adder::sum);
  }
}

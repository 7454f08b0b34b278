package dev.penstock.spark;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.Dependency;
import org.apache.spark.rdd.RDD;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Tells whether rows come from a Real-Time Mode source. Such a source moves on while it is read, so
 * its stages cannot simply be run again. Spark tells it nowhere but in the scan's reader factory.
 */
final class RealTime {
  private static final String FACTORY = "LowLatencyReaderFactoryWrap";

  private RealTime() {}

  static boolean reads(RDD<?> rdd) {
    Set<Integer> seen = new HashSet<>();
    Deque<RDD<?>> open = new ArrayDeque<>();
    open.add(rdd);
    while (!open.isEmpty()) {
      RDD<?> next = open.poll();
      if (!seen.add(next.id())) {
        continue;
      }
      if (isRealTimeScan(next)) {
        return true;
      }
      for (Dependency<?> dependency : CollectionConverters.asJava(next.dependencies())) {
        open.add(dependency.rdd());
      }
    }
    return false;
  }

  private static boolean isRealTimeScan(RDD<?> rdd) {
    if (!rdd.getClass().getSimpleName().equals("DataSourceRDD")) {
      return false;
    }
    for (Field field : rdd.getClass().getDeclaredFields()) {
      if (field.getType().getSimpleName().equals("PartitionReaderFactory")) {
        try {
          field.setAccessible(true);
          Object factory = field.get(rdd);
          return factory != null && factory.getClass().getSimpleName().equals(FACTORY);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException("cannot look into " + rdd, e);
        }
      }
    }
    return false;
  }
}

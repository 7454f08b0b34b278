package dev.penstock.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.storage.BlockManagerId;

/** The calls into Spark that differ between its releases, in one place. */
final class SparkInternals {
  private SparkInternals() {}

  static MapStatus mapStatus(BlockManagerId location, long[] sizes, long mapId, long checksum) {
    return MapStatus$.MODULE$.apply(location, sizes, mapId, checksum);
  }

  static CompressionCodec codec(SparkConf conf, String name) {
    return CompressionCodec$.MODULE$.createCodec(conf, name);
  }

  /** How many tasks of default shape fit into the cluster now; 0 before executors are up. */
  static int slots(SparkContext spark) {
    ResourceProfile profile = spark.resourceProfileManager().defaultResourceProfile();
    return spark.maxNumConcurrentTasks(profile);
  }
}

package dev.penstock.spark;

import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockManagerId$;
import scala.Option;

/**
 * What Spark's scheduler believes about a pipelined shuffle's map stage. Outputs that are said to
 * be there make it start the consumer at once; taken back, it runs the map stage.
 */
final class MapOutputs {
  private static final long NO_TASK = -1L;

  private MapOutputs() {}

  /** Says that all outputs are there, empty, with an executor that nobody can lose. */
  static void pretend(int shuffle, int maps, int partitions) {
    MapOutputTrackerMaster tracker = tracker();
    tracker.registerShuffle(shuffle, maps, partitions);
    BlockManagerId nobody =
        BlockManagerId$.MODULE$.apply(
            "penstock-shuffle-" + shuffle, "localhost", 1, Option.empty());
    for (int map = 0; map < maps; map++) {
      var unused =
          tracker.registerMapOutput(
              shuffle, map, SparkInternals.mapStatus(nobody, new long[partitions], NO_TASK));
    }
  }

  /** Takes it all back, before any reader hears of it. */
  static void reset(int shuffle, int maps, int partitions) {
    MapOutputTrackerMaster tracker = tracker();
    // Unregistering single outputs would leave their checksums behind, which the real ones then
    // do not match.
    tracker.unregisterShuffle(shuffle);
    tracker.registerShuffle(shuffle, maps, partitions);
    tracker.incrementEpoch();
  }

  private static MapOutputTrackerMaster tracker() {
    return (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
  }
}

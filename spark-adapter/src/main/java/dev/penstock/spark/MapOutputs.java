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
    for (int map = 0; map < maps; map++) {
      register(tracker, shuffle, map, partitions, 0);
    }
  }

  private static void register(
      MapOutputTrackerMaster tracker, int shuffle, int map, int partitions, long checksum) {
    BlockManagerId nobody =
        BlockManagerId$.MODULE$.apply(
            "penstock-shuffle-" + shuffle, "localhost", 1, Option.empty());
    var unused =
        tracker.registerMapOutput(
            shuffle,
            map,
            SparkInternals.mapStatus(nobody, new long[partitions], NO_TASK, checksum));
  }

  /**
   * Takes it all back, before any reader hears of it.
   *
   * @param checksums of what tasks that have ended may have read, for Spark to compare with what
   *     the map stage writes now: rows that changed make it roll these tasks back, or give the job
   *     up. Null if no task can have ended.
   */
  static void reset(int shuffle, int maps, int partitions, long[] checksums) {
    MapOutputTrackerMaster tracker = tracker();
    if (checksums == null) {
      // Unregistering single outputs would leave their made-up checksums behind.
      tracker.unregisterShuffle(shuffle);
      tracker.registerShuffle(shuffle, maps, partitions);
      tracker.incrementEpoch();
      return;
    }
    for (int map = 0; map < maps; map++) {
      register(tracker, shuffle, map, partitions, checksums[map]);
    }
    tracker.unregisterAllMapAndMergeOutput(shuffle);
  }

  private static MapOutputTrackerMaster tracker() {
    return (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
  }
}

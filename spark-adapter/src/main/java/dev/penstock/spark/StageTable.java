package dev.penstock.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.StageInfo;
import scala.jdk.javaapi.CollectionConverters;

/** The stages of running jobs, as the scheduler has announced them. */
final class StageTable {
  /** What a job's start tells about one of its stages. */
  private record Facts(int job, List<Integer> inputs, Properties properties, boolean isResult) {}

  private final Map<Integer, Facts> facts = new HashMap<>();
  private final Map<StageState.Key, StageState> running = new HashMap<>();

  void jobStarted(SparkListenerJobStart event) {
    Map<Integer, StageInfo> infos = new HashMap<>();
    for (StageInfo info : CollectionConverters.asJava(event.stageInfos())) {
      infos.put(info.stageId(), info);
    }
    Properties properties = event.properties() == null ? new Properties() : event.properties();
    for (StageInfo info : infos.values()) {
      List<Integer> inputs = new ArrayList<>();
      for (Object parent : CollectionConverters.asJava(info.parentIds())) {
        StageInfo above = infos.get((Integer) parent);
        if (above != null && above.shuffleDepId().isDefined()) {
          inputs.add((Integer) above.shuffleDepId().get());
        }
      }
      boolean isResult = info.shuffleDepId().isEmpty();
      facts.put(info.stageId(), new Facts(event.jobId(), inputs, properties, isResult));
    }
  }

  void jobEnded(int job) {
    facts.values().removeIf(known -> known.job() == job);
  }

  /** A stage attempt begins; {@code writersOf} finds the generation that a writers' job is for. */
  StageState submitted(StageInfo info, Function<String, Generation> writersOf) {
    Facts known = facts.get(info.stageId());
    if (known == null) {
      return null;
    }
    StageState.Key key = new StageState.Key(info.stageId(), info.attemptNumber());
    String generation = known.properties().getProperty(WritersJob.GENERATION);
    StageState state =
        new StageState(
            key,
            info.numTasks(),
            known.inputs(),
            known.properties(),
            known.isResult() && generation != null ? writersOf.apply(generation) : null);
    running.put(key, state);
    return state;
  }

  StageState find(StageState.Key key) {
    return running.get(key);
  }

  StageState remove(StageState.Key key) {
    return running.remove(key);
  }

  /** The group that a running stage is in, or null. */
  SlotLedger.Group group(int stage) {
    for (StageState state : running.values()) {
      if (state.key().stage() == stage && state.group() != null) {
        return state.group();
      }
    }
    return null;
  }
}

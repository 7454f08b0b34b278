package dev.penstock.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.spark.FutureAction;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.StageInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on the driver what becomes of shuffles: which generation a reader joins, whether it fits,
 * when it has failed and who is told. All state belongs to one thread; others post to it.
 */
final class Tracker {
  private static final Logger LOG = LoggerFactory.getLogger(Tracker.class);

  /** How long a reader's stage may stay unknown: the scheduler's events come a little later. */
  private static final long STAGE_MILLIS = 10_000;

  private static final long PUSH_MILLIS = 10;

  /** How soon to look again for slots: executors may still be coming up. */
  private static final long SLOTS_MILLIS = 200;

  /** What the tracker needs of Spark; a test may put another scheduler behind it. */
  interface Scheduler {
    int slots();

    /** Starts the job elsewhere and posts what becomes of it. */
    void submit(Generation generation, ShuffleDependency<?, ?, ?> dependency);

    /** Makes the scheduler run the map stage, if it is needed again. */
    void reset(ShuffleEntry entry);
  }

  private final Settings settings;
  private final ScheduledExecutorService thread;
  private final ControlLinks links;
  private final Scheduler scheduler;
  private final DriverMetrics metrics;
  private final Map<Integer, ShuffleEntry> shuffles;
  private final Map<GenerationKey, Generation> generations = new ConcurrentHashMap<>();
  private final StageTable stages = new StageTable();
  private final SlotLedger slots = new SlotLedger();
  private final Map<List<Object>, Long> exchanges = new HashMap<>();
  private final Map<StageState.Key, List<Message.Open>> early = new HashMap<>();
  private long lastExchange;

  Tracker(
      Settings settings,
      ScheduledExecutorService thread,
      ControlLinks links,
      Scheduler scheduler,
      DriverMetrics metrics,
      Map<Integer, ShuffleEntry> shuffles) {
    this.settings = settings;
    this.thread = thread;
    this.links = links;
    this.scheduler = scheduler;
    this.metrics = metrics;
    this.shuffles = shuffles;
  }

  void start() {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> guarded(links::pushWaiting), PUSH_MILLIS, PUSH_MILLIS, TimeUnit.MILLISECONDS);
  }

  void post(Runnable task) {
    try {
      thread.execute(() -> guarded(task));
    } catch (RejectedExecutionException e) {
      LOG.debug("too late, the application ends", e);
    }
  }

  private void later(long millis, Runnable task) {
    var unused = thread.schedule(() -> guarded(task), millis, TimeUnit.MILLISECONDS);
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("a step of the tracker failed; what waits for it falls back by its deadline", e);
    }
  }

  /** Answers a writer at once, from any thread. */
  Message admit(Message.WriterUp up) {
    Generation generation = generations.get(new GenerationKey(up.exchange(), up.attempt()));
    if (generation == null) {
      return new Message.Refused("generation " + up.exchange() + "#" + up.attempt() + " is over");
    }
    Message answer = generation.admit(up.map(), up.taskAttempt());
    if (answer instanceof Message.Admitted) {
      post(() -> writerUp(generation, up));
    } else if (answer instanceof Message.Refused refused) {
      post(() -> fail(generation, refused.reason()));
    }
    return answer;
  }

  void open(Message.Open open) {
    StageState.Key key = new StageState.Key(open.stage(), open.stageAttempt());
    StageState stage = stages.find(key);
    ShuffleEntry entry = shuffles.get(open.shuffle());
    if (entry == null || entry.isSort()) {
      giveUp(open, true, "the shuffle goes through the sort shuffle now");
    } else if (stage == null) {
      early.computeIfAbsent(key, unused -> new ArrayList<>()).add(open);
      later(STAGE_MILLIS, () -> stillUnknown(key));
    } else {
      open(open, stage, entry);
    }
  }

  private void stillUnknown(StageState.Key key) {
    List<Message.Open> waiting = early.remove(key);
    if (waiting == null) {
      return;
    }
    for (Message.Open open : waiting) {
      ShuffleEntry entry = shuffles.get(open.shuffle());
      if (entry != null) {
        toSort(entry, "the scheduler said nothing of stage " + key);
      }
      giveUp(open, true, "stage " + key + " is unknown to the driver");
    }
  }

  private void open(Message.Open open, StageState stage, ShuffleEntry entry) {
    String reason = stage.whyNot(open, entry);
    if (reason != null) {
      fallBack(stage, entry, reason);
      giveUp(open, !entry.realTime(), reason);
      return;
    }
    int index = stage.index(open);
    List<Generation> known = stage.generations(open.shuffle());
    if (index < 0) {
      reason = "task " + open.taskPartition() + " was tried again, its input has been read";
      fallBack(stage, entry, reason);
      giveUp(open, !entry.realTime(), reason);
      return;
    }
    Generation generation = index < known.size() ? known.get(index) : begin(open, stage, index);
    if (generation == null) {
      if (stage.fallBack() == null) {
        later(SLOTS_MILLIS, () -> open(open));
      } else {
        giveUp(open, !entry.realTime(), stage.fallBack());
      }
      return;
    }
    if (generation.state() != Generation.State.RUNNING && entry.maps() > 0) {
      reason = "generation " + generation.key() + " is over before partition " + open.partition();
      fail(generation, reason);
      giveUp(open, !entry.realTime(), reason);
      return;
    }
    join(open, generation);
  }

  /** Starts a generation; null if the stage falls back, or has to wait for slots. */
  private Generation begin(Message.Open open, StageState stage, int index) {
    ShuffleEntry entry = shuffles.get(open.shuffle());
    ShuffleDependency<?, ?, ?> dependency = entry.dependency();
    SlotLedger.Grant grant =
        dependency == null
            ? SlotLedger.Grant.refused("its dependency is gone")
            : slots.reserve(stage, entry.shuffle(), Demand.graph(shuffles), scheduler.slots());
    String reason = grant.refusal();
    if (reason != null
        && dependency != null
        && entry.realTime()
        && stage.ageMillis() < settings.startMillis()) {
      return null;
    }
    if (reason == null && entry.nextGeneration() > settings.maxGenerations()) {
      reason =
          "it has been run "
              + settings.maxGenerations()
              + " times ("
              + Settings.MAX_GENERATIONS
              + "); the sort shuffle keeps what it wrote";
    }
    if (reason != null) {
      fallBack(stage, entry, reason);
      return null;
    }
    long exchange =
        exchanges.computeIfAbsent(
            List.of(entry.shuffle(), stage.key().stage(), index), unused -> ++lastExchange);
    GenerationKey key = new GenerationKey(exchange, stage.key().attempt());
    Generation generation = new Generation(key, entry, stage);
    stage.generations(entry.shuffle()).add(generation);
    generations.put(key, generation);
    metrics.started();
    if (entry.maps() > 0) {
      slots.whenOthersRun(stage.group(), grant, () -> submit(generation, dependency));
      later(settings.startMillis(), () -> checkStarted(generation, grant.writers()));
    } else {
      finished(generation, null);
    }
    return generation;
  }

  private void submit(Generation generation, ShuffleDependency<?, ?, ?> dependency) {
    if (generation.state() == Generation.State.RUNNING) {
      scheduler.submit(generation, dependency);
    }
  }

  private void join(Message.Open open, Generation generation) {
    generation.addReader(new Generation.Reader(open.executor(), open.reader(), open.partition()));
    GenerationKey key = generation.key();
    links.send(
        open.executor(),
        new Message.Opened(
            open.reader(), key.exchange(), key.attempt(), generation.entry().maps()));
    generation
        .writers()
        .forEach(
            (map, place) ->
                links.send(
                    open.executor(),
                    new Message.WriterAt(open.reader(), map, place.host(), place.port())));
  }

  void writerBegins(Message.WriterBegins begins) {
    Generation generation = generations.get(new GenerationKey(begins.exchange(), begins.attempt()));
    if (generation != null) {
      generation.begin();
    }
  }

  private void writerUp(Generation generation, Message.WriterUp up) {
    Generation.Place place = links.place(up.executor());
    if (place == null) {
      fail(generation, "executor " + up.executor() + " is gone");
      return;
    }
    if (generation.writers().isEmpty()) {
      later(settings.readersMillis(), () -> checkReaders(generation));
    }
    generation.addWriter(up.map(), place);
    for (Generation.Reader reader : generation.readers()) {
      links.send(
          reader.executor(),
          new Message.WriterAt(reader.number(), up.map(), place.host(), place.port()));
    }
  }

  void writerDone(Message.WriterDone done) {
    Generation generation = generations.get(new GenerationKey(done.exchange(), done.attempt()));
    if (generation != null) {
      generation.mapDone(done.map(), done.rows(), done.bytes(), done.checksum());
    }
  }

  /** Slots that were free may be gone, with an executor or to another job's tasks. */
  private void checkStarted(Generation generation, int expected) {
    int begun = generation.begun();
    if (generation.state() == Generation.State.RUNNING && begun < expected) {
      fail(
          generation,
          (begun == 0 ? "no writer has" : "only " + begun + " of " + expected + " writers have")
              + " started within "
              + settings.startMillis()
              + " ms ("
              + Settings.START_TIMEOUT
              + "): are there free slots?");
    }
  }

  private void checkReaders(Generation generation) {
    int partitions = generation.entry().partitions();
    if (generation.state() == Generation.State.RUNNING
        && generation.partitionsRead() < partitions) {
      fail(
          generation,
          "only "
              + generation.partitionsRead()
              + " of "
              + partitions
              + " partitions have a reader after "
              + settings.readersMillis()
              + " ms ("
              + Settings.READERS_TIMEOUT
              + ")");
    }
  }

  /** A writer or reader says that its channel or its task has failed. */
  void failed(GenerationKey key, String reason) {
    Generation generation = generations.get(key);
    if (generation != null) {
      fail(generation, reason);
    }
  }

  /** An executor cannot be told anything any more, but it can ask. */
  void lost(Message.TrackerLost lost) {
    ShuffleEntry entry = shuffles.get(lost.shuffle());
    if (entry == null || entry.isSort()) {
      return;
    }
    StageState stage = stages.find(new StageState.Key(lost.stage(), lost.stageAttempt()));
    if (stage == null) {
      toSort(entry, lost.reason());
    } else {
      fallBack(stage, entry, lost.reason());
    }
  }

  void submitted(Generation generation, FutureAction<?> job) {
    generation.job(job);
    if (generation.state() != Generation.State.RUNNING) {
      job.cancel();
    }
  }

  /** The writers' job is over, its accumulators are counted. */
  void finished(Generation generation, Throwable failure) {
    generation.jobDone();
    if (failure != null) {
      if (generation.state() == Generation.State.RUNNING) {
        fail(generation, PipelinedWriter.text(failure));
      }
    } else if (generation.state() == Generation.State.RUNNING) {
      generation.state(Generation.State.COMPLETE, "it is complete");
      generation.entry().complete(generation);
      metrics.completed();
      LOG.info("{}", generation.summary());
      for (Generation.Reader reader : generation.readers()) {
        links.send(reader.executor(), new Message.Complete(reader.number()));
      }
    }
  }

  /** The one way in which a generation fails: the scheduler first, those who wait last. */
  private void fail(Generation generation, String reason) {
    Generation.State before = generation.state();
    if (before == Generation.State.FAILED || before == Generation.State.CLOSED) {
      return;
    }
    generation.state(Generation.State.FAILED, reason);
    if (before == Generation.State.COMPLETE) {
      // It has had its line; only its readers have to give up.
      LOG.info("Generation {} was complete, but {}", generation.key(), reason);
    } else {
      metrics.failed();
      if (Generation.isCancelled(reason)) {
        LOG.info("{}: {}", generation.summary(), reason);
      } else {
        LOG.warn("{}: {}", generation.summary(), reason);
      }
    }
    StageState stage = generation.consumer();
    fallBack(stage, generation.entry(), reason);
    cancel(generation, reason);
    for (Generation.Reader reader : generation.readers()) {
      links.send(
          reader.executor(),
          new Message.GiveUp(reader.number(), !generation.entry().realTime(), reason));
    }
  }

  private void cancel(Generation generation, String reason) {
    GenerationKey key = generation.key();
    for (String executor : generation.executors()) {
      links.send(executor, new Message.Fail(key.exchange(), key.attempt(), reason));
    }
    if (generation.job() != null && !generation.isJobDone()) {
      generation.job().cancel();
    }
  }

  /**
   * A whole stage attempt falls back: what it would write first, then all it reads, so that one
   * more attempt is enough.
   */
  private void fallBack(StageState stage, ShuffleEntry cause, String reason) {
    if (stage.fallBack() == null) {
      stage.fallBack(reason);
      if (stage.writersOf() != null) {
        fail(stage.writersOf(), reason);
      }
      for (int input : stage.inputs()) {
        ShuffleEntry entry = shuffles.get(input);
        if (entry != null) {
          toSort(entry, reason);
        }
      }
    }
    toSort(cause, reason);
    for (Generation sibling : stage.generations()) {
      if (sibling.state() == Generation.State.RUNNING) {
        fail(sibling, reason);
      }
    }
  }

  private void toSort(ShuffleEntry entry, String reason) {
    if (entry.isSort()) {
      return;
    }
    if (entry.realTime()) {
      if (entry.tellOnce() && !Generation.isCancelled(reason)) {
        LOG.error("Shuffle {} of a Real-Time query fails: {}", entry.shuffle(), reason);
      }
      return;
    }
    entry.toSort();
    scheduler.reset(entry);
    metrics.fellBack();
    LOG.warn("Shuffle {} goes to the sort shuffle: {}", entry.shuffle(), reason);
  }

  private void giveUp(Message.Open open, boolean fallBack, String reason) {
    links.send(open.executor(), new Message.GiveUp(open.reader(), fallBack, reason));
  }

  void jobStarted(SparkListenerJobStart event) {
    stages.jobStarted(event);
  }

  void jobEnded(int job) {
    stages.jobEnded(job);
  }

  void stageSubmitted(StageInfo info) {
    StageState stage =
        stages.submitted(
            info,
            text -> {
              String[] parts = text.split("#", -1);
              return generations.get(
                  new GenerationKey(Long.parseLong(parts[0]), Integer.parseInt(parts[1])));
            });
    if (stage == null) {
      return;
    }
    List<Message.Open> waiting = early.remove(stage.key());
    if (waiting != null) {
      waiting.forEach(this::open);
    }
  }

  void stageCompleted(StageInfo info) {
    slots.completed(info.stageId());
    StageState stage = stages.remove(new StageState.Key(info.stageId(), info.attemptNumber()));
    if (stage == null) {
      return;
    }
    for (Generation generation : stage.generations()) {
      close(generation);
      generations.remove(generation.key(), generation);
    }
    if (stage.group() != null && stage.writersOf() == null) {
      slots.release(stage.group());
    }
  }

  /** Nobody reads any more. */
  private void close(Generation generation) {
    if (generation.state() != Generation.State.RUNNING) {
      return;
    }
    generation.state(Generation.State.CLOSED, "its readers have ended");
    LOG.info("{}", generation.summary());
    GenerationKey key = generation.key();
    for (String executor : generation.executors()) {
      links.send(executor, new Message.Close(key.exchange(), key.attempt()));
    }
    if (generation.job() != null && !generation.isJobDone() && !generation.isAllDone()) {
      generation.job().cancel();
    }
  }

  void taskStarted(int stage) {
    SlotLedger.Group group = stages.group(stage);
    if (group == null) {
      slots.started(stage);
    } else {
      slots.started(group);
    }
  }

  void taskEnded(int stage) {
    slots.ended(stage);
  }

  void executorRemoved(String executor, String reason) {
    links.close(executor);
    for (Generation generation : new ArrayList<>(generations.values())) {
      boolean writes = generation.executors().contains(executor);
      boolean reads =
          generation.readers().stream().anyMatch(reader -> reader.executor().equals(executor));
      if (generation.state() == Generation.State.RUNNING && (writes || reads)) {
        fail(generation, "executor " + executor + " is lost: " + reason);
      }
    }
  }
}

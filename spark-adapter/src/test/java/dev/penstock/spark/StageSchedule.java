package dev.penstock.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A scheduler with slots, tasks and jobs of random graphs of stages, as unkind as Spark may be:
 * whatever can happen next may happen next. Channels hold nothing, so a writer moves on only while
 * all of its readers read it. Nothing here has a deadline, so what stands still does so for ever.
 */
final class StageSchedule {
  /** One shuffle of a job. */
  private record Shuffle(int number, int maps, List<Integer> readings, boolean realTime) {}

  private record Reading(Stage consumer, int index) {}

  /** Some tasks; those of a result, of a shuffle's files, or the writers for one reading. */
  private final class Stage implements SlotLedger.Stage {
    final int number = ++stages;
    final int job;
    final int tasks;
    final List<Integer> readings;
    final Reading writesFor;
    final int writesFile;
    final boolean inTurns = random.nextBoolean();
    final boolean eager = random.nextBoolean();
    final Stage[] writers;
    SlotLedger.Group group;

    /** Tasks that read nothing. */
    int idle;

    int running;
    int done;
    boolean submitted;
    boolean held;
    boolean over;

    Stage(int job, int tasks, List<Integer> readings, Reading writesFor, int writesFile) {
      this.job = job;
      this.tasks = tasks;
      this.readings = readings;
      this.writesFor = writesFor;
      this.writesFile = writesFile;
      this.writers = new Stage[readings.size()];
      this.idle = writesFor == null ? random.nextInt(tasks) : 0;
      this.group = writesFor == null ? null : writesFor.consumer().group;
      all.add(this);
    }

    @Override
    public int number() {
      return number;
    }

    @Override
    public int tasks() {
      return tasks;
    }

    @Override
    public List<Integer> inputs() {
      return readings.stream().distinct().toList();
    }

    @Override
    public SlotLedger.Group group() {
      return group;
    }

    @Override
    public void group(SlotLedger.Group value) {
      group = value;
    }

    boolean hasRead(int index) {
      Stage pipelined = writers[index];
      return pipelined == null ? files.contains(readings.get(index)) : pipelined.isDone();
    }

    boolean hasReadBefore(int index) {
      for (int i = 0; i < index; i++) {
        if (!hasRead(i)) {
          return false;
        }
      }
      return true;
    }

    boolean isDone() {
      return done == tasks;
    }

    /** Whether all tasks take what is written for this reading. */
    boolean reads(int index) {
      return running + done == tasks && (!inTurns || hasReadBefore(index)) && isTaken();
    }

    boolean isTaken() {
      return writesFor == null || writesFor.consumer().reads(writesFor.index());
    }

    boolean mayEnd() {
      return running > 0 && (idle > 0 || (hasReadBefore(readings.size()) && isTaken()));
    }

    boolean mayOpen(int index) {
      return running > idle
          && writers[index] == null
          && !files.contains(readings.get(index))
          && (eager || hasReadBefore(index));
    }

    boolean mayStart() {
      return !over && !held && running + done < tasks;
    }
  }

  private final Random random;
  private final int slots;
  private final int slotsTold;
  private final SlotLedger ledger = new SlotLedger();
  private final Map<Integer, Shuffle> shuffles = new HashMap<>();
  private final Set<Integer> sort = new TreeSet<>();
  private final Set<Integer> files = new HashSet<>();
  private final List<Stage> all = new ArrayList<>();
  private final Deque<Runnable> events = new ArrayDeque<>();
  private final boolean eventsAreLate;
  private final boolean inOrder;
  private int stages;
  private int pipelined;
  private int refused;

  /**
   * Makes jobs.
   *
   * @param lie how many slots the ledger is told of that are not there
   */
  StageSchedule(Random random, int lie) {
    this.random = random;
    this.slots = 1 + random.nextInt(20);
    this.slotsTold = slots + lie;
    this.eventsAreLate = random.nextBoolean();
    this.inOrder = random.nextBoolean();
    int jobs = 1 + random.nextInt(3);
    for (int job = 0; job < jobs; job++) {
      makeJob(job);
    }
  }

  int pipelined() {
    return pipelined;
  }

  int refused() {
    return refused;
  }

  private void makeJob(int job) {
    boolean realTime = random.nextInt(5) == 0;
    List<Integer> own = new ArrayList<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      int number = job * 100 + i;
      int maps = 1 + random.nextInt(4);
      shuffles.put(number, new Shuffle(number, maps, pick(own, 2), realTime));
      if (!realTime && random.nextInt(6) == 0) {
        sort.add(number);
      }
      own.add(number);
    }
    Stage unused = new Stage(job, 1 + random.nextInt(4), pick(own, 3), null, -1);
  }

  /** Some of these, the last ones rather, and some of them twice. */
  private List<Integer> pick(List<Integer> from, int most) {
    List<Integer> picked = new ArrayList<>();
    int count = from.isEmpty() ? 0 : random.nextInt(most + 1);
    for (int i = 0; i < count; i++) {
      int back = Math.min(from.size() - 1, random.nextInt(3));
      picked.add(from.get(from.size() - 1 - back));
    }
    return picked;
  }

  private Demand.Shuffle look(int number) {
    Shuffle shuffle = shuffles.get(number);
    return shuffle == null || sort.contains(number)
        ? null
        : new Demand.Shuffle(
            shuffle.maps(), shuffle.realTime(), shuffle.readings().stream().distinct().toList());
  }

  /** Runs until nothing can happen; null if all is done, or what stands still. */
  String run() {
    while (true) {
      int known = stages;
      List<Runnable> next = new ArrayList<>();
      if (!events.isEmpty()) {
        next.add(() -> events.poll().run());
      }
      addStarts(next);
      for (Stage stage : List.copyOf(all)) {
        if (stage.over) {
          continue;
        }
        if (stage.mayEnd()) {
          next.add(() -> endTask(stage));
        }
        for (int i = 0; i < stage.readings.size(); i++) {
          int index = i;
          if (stage.mayOpen(index)) {
            next.add(() -> open(stage, index));
          }
        }
      }
      if (next.isEmpty() && stages > known) {
        continue;
      }
      if (next.isEmpty()) {
        return all.stream().allMatch(stage -> stage.over) ? null : describe();
      }
      next.get(random.nextInt(next.size())).run();
    }
  }

  private void addStarts(List<Runnable> next) {
    int free = slots - all.stream().mapToInt(stage -> stage.running).sum();
    for (Stage stage : List.copyOf(all)) {
      if (stage.mayStart() && parentsAreThere(stage) && free > 0) {
        next.add(() -> startTask(stage));
        if (inOrder) {
          return;
        }
      }
    }
  }

  /** Files come first, and are made by a stage that may itself read what is pipelined. */
  private boolean parentsAreThere(Stage stage) {
    boolean there = true;
    if (stage.submitted) {
      return true;
    }
    for (int input : stage.inputs()) {
      if (sort.contains(input) && !files.contains(input)) {
        there = false;
        if (all.stream().noneMatch(other -> !other.over && other.writesFile == input)) {
          Shuffle shuffle = shuffles.get(input);
          Stage unused = new Stage(stage.job, shuffle.maps(), shuffle.readings(), null, input);
        }
      }
    }
    stage.submitted = there;
    return there;
  }

  private void tell(Runnable event) {
    events.add(event);
    if (!eventsAreLate) {
      events.poll().run();
    }
  }

  private void startTask(Stage stage) {
    stage.running++;
    tell(
        () -> {
          if (stage.group == null) {
            ledger.started(stage.number);
          } else {
            ledger.started(stage.group);
          }
        });
  }

  private void endTask(Stage stage) {
    stage.running--;
    stage.done++;
    stage.idle = Math.max(0, stage.idle - 1);
    tell(() -> ledger.ended(stage.number));
    if (stage.isDone()) {
      if (stage.writesFile >= 0) {
        files.add(stage.writesFile);
      }
      if (stage.writesFor != null) {
        pipelined++;
      }
      end(stage);
    }
  }

  private void end(Stage stage) {
    stage.over = true;
    tell(
        () -> {
          ledger.completed(stage.number);
          if (stage.group != null && stage.writesFor == null) {
            ledger.release(stage.group);
          }
        });
  }

  private void open(Stage stage, int index) {
    Shuffle shuffle = shuffles.get(stage.readings.get(index));
    if (sort.contains(shuffle.number())) {
      // Another stage has fallen back meanwhile.
      fallBack(stage);
      return;
    }
    SlotLedger.Grant grant = ledger.reserve(stage, shuffle.number(), this::look, slotsTold);
    if (grant.isRefused()) {
      refused++;
      if (shuffle.realTime()) {
        stopJob(stage.job);
      } else {
        fallBack(stage);
      }
      return;
    }
    Stage writers =
        new Stage(stage.job, shuffle.maps(), shuffle.readings(), new Reading(stage, index), -1);
    stage.writers[index] = writers;
    writers.held = true;
    ledger.whenOthersRun(stage.group, grant, () -> writers.held = false);
  }

  private void stopJob(int job) {
    all.stream().filter(stage -> stage.job == job && !stage.over).toList().forEach(this::kill);
  }

  /** What it reads goes to files; what it writes is not needed, for its reader falls back, too. */
  private void fallBack(Stage stage) {
    if (stage.over) {
      return;
    }
    sort.addAll(stage.readings);
    kill(stage);
    if (stage.writesFor != null) {
      fallBack(stage.writesFor.consumer());
    } else {
      Stage unused = new Stage(stage.job, stage.tasks, stage.readings, null, stage.writesFile);
    }
  }

  private void kill(Stage stage) {
    if (stage.over) {
      return;
    }
    for (int i = 0; i < stage.running; i++) {
      tell(() -> ledger.ended(stage.number));
    }
    stage.running = 0;
    end(stage);
    for (Stage writers : stage.writers) {
      if (writers != null) {
        kill(writers);
      }
    }
  }

  private String describe() {
    StringBuilder text = new StringBuilder("of " + slots + " slots:");
    for (Stage stage : all) {
      if (!stage.over) {
        text.append("\n  stage ")
            .append(stage.number)
            .append(" of job ")
            .append(stage.job)
            .append(": ")
            .append(stage.running)
            .append(" of ")
            .append(stage.tasks)
            .append(" running, ")
            .append(stage.done)
            .append(" done, reads ")
            .append(stage.readings);
        if (stage.writesFor != null) {
          text.append(", writes for stage ").append(stage.writesFor.consumer().number);
        }
      }
    }
    return text.toString();
  }
}

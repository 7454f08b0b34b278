package dev.penstock.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A stage attempt that reads pipelined shuffles. Owned by the tracker's thread. */
final class StageState implements SlotLedger.Stage {
  record Key(int stage, int attempt) {}

  /** One way to read a partition: which task, and for the how many-th time. */
  private record Use(int taskPartition, int ordinal) {}

  private final Key key;
  private final int tasks;
  private final List<Integer> inputs;
  private final Properties properties;
  private final Generation writersOf;
  private final Map<Integer, Map<Integer, List<Use>>> uses = new HashMap<>();
  private final Map<Use, Integer> attempts = new HashMap<>();
  private final Map<Integer, List<Generation>> generations = new HashMap<>();
  private final long startNanos = System.nanoTime();
  private SlotLedger.Group group;
  private String fallBack;

  StageState(
      Key key, int tasks, List<Integer> inputs, Properties properties, Generation writersOf) {
    this.key = key;
    this.tasks = tasks;
    this.inputs = inputs;
    this.properties = properties;
    this.writersOf = writersOf;
    this.group = writersOf == null ? null : writersOf.consumer().group();
  }

  Key key() {
    return key;
  }

  @Override
  public int number() {
    return key.stage();
  }

  @Override
  public int tasks() {
    return tasks;
  }

  /** The shuffles that it reads, pipelined or not. */
  @Override
  public List<Integer> inputs() {
    return inputs;
  }

  Properties properties() {
    return properties;
  }

  /** The generation whose writers this stage's tasks are, or null. */
  Generation writersOf() {
    return writersOf;
  }

  long ageMillis() {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }

  @Override
  public SlotLedger.Group group() {
    return group;
  }

  @Override
  public void group(SlotLedger.Group value) {
    group = value;
  }

  /** Why the whole stage attempt has to fall back, or null. */
  String fallBack() {
    return fallBack;
  }

  void fallBack(String reason) {
    fallBack = reason;
  }

  /** The reason why this stage attempt cannot be pipelined, or null. */
  String whyNot(Message.Open open, ShuffleEntry entry) {
    if (fallBack != null) {
      return fallBack;
    }
    if (!open.whole()) {
      return "a task reads a range of partitions or maps";
    }
    if (tasks < open.numPartitions()) {
      return "stage "
          + key
          + " runs "
          + tasks
          + " of "
          + open.numPartitions()
          + " tasks, so some partitions would have no reader";
    }
    if (tasks < entry.partitions()) {
      return "stage "
          + key
          + " has "
          + tasks
          + " tasks for "
          + entry.partitions()
          + " partitions, which would be read one after the other";
    }
    return null;
  }

  /**
   * Which generation of a shuffle a reader belongs to: the n-th different use of a partition reads
   * the n-th generation.
   *
   * @return the index, or −1 if another attempt of the task has read this already
   */
  int index(Message.Open open) {
    Use use = new Use(open.taskPartition(), open.ordinal());
    List<Use> known =
        uses.computeIfAbsent(open.shuffle(), unused -> new HashMap<>())
            .computeIfAbsent(open.partition(), unused -> new ArrayList<>());
    int attempt = attempts.computeIfAbsent(use, unused -> open.taskAttempt());
    if (attempt != open.taskAttempt()) {
      return -1;
    }
    int index = known.indexOf(use);
    if (index < 0) {
      known.add(use);
      index = known.size() - 1;
    }
    return index;
  }

  List<Generation> generations(int shuffle) {
    return generations.computeIfAbsent(shuffle, unused -> new ArrayList<>());
  }

  List<Generation> generations() {
    List<Generation> all = new ArrayList<>();
    generations.values().forEach(all::addAll);
    return all;
  }
}

package dev.penstock.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.FutureAction;

/**
 * One run of a shuffle's writers for one consuming stage attempt. All or nothing: if one writer
 * fails, everything that was read of it is thrown away. Owned by the tracker's thread; admission
 * alone is asked from others.
 */
final class Generation {
  /** Where it stands; FAILED and CLOSED are final, but a closed one may still fail. */
  enum State {
    RUNNING,
    /** Every writer ended well and everything was taken. */
    COMPLETE,
    /** The consumer ended first. */
    CLOSED,
    FAILED
  }

  record Place(String executor, String host, int port) {}

  record Reader(String executor, long number, int partition) {}

  private final GenerationKey key;
  private final ShuffleEntry entry;
  private final StageState consumer;
  private final long startNanos = System.nanoTime();
  private final Map<Integer, Integer> admitted = new ConcurrentHashMap<>();
  private final Map<Integer, Place> writers = new HashMap<>();
  private final List<Reader> readers = new ArrayList<>();
  private final Set<Integer> partitions = new HashSet<>();
  private volatile State state = State.RUNNING;
  private volatile String failure;
  private final long[] checksums;
  private FutureAction<?> job;
  private boolean jobDone;
  private int begun;
  private int done;
  private long rows;
  private long bytes;

  Generation(GenerationKey key, ShuffleEntry entry, StageState consumer) {
    this.key = key;
    this.entry = entry;
    this.consumer = consumer;
    this.checksums = new long[entry.maps()];
  }

  GenerationKey key() {
    return key;
  }

  ShuffleEntry entry() {
    return entry;
  }

  StageState consumer() {
    return consumer;
  }

  State state() {
    return state;
  }

  String failure() {
    return failure;
  }

  void state(State next, String reason) {
    failure = reason;
    state = next;
  }

  /** Answers a writer at once, from any thread; each map is admitted once. */
  Message admit(int map, int taskAttempt) {
    if (state == State.CLOSED) {
      return new Message.NotNeeded();
    }
    if (state != State.RUNNING) {
      return new Message.Refused("generation " + key + " is over: " + failure);
    }
    if (taskAttempt > 0 || admitted.putIfAbsent(map, taskAttempt) != null) {
      return new Message.Refused(
          "map "
              + map
              + " of generation "
              + key
              + " has been tried before; what it wrote may have"
              + " been read, so the whole generation is over");
    }
    return new Message.Admitted(entry.partitions());
  }

  void addWriter(int map, Place place) {
    writers.put(map, place);
  }

  Map<Integer, Place> writers() {
    return writers;
  }

  /** Where its writers are. */
  Set<String> executors() {
    Set<String> executors = new HashSet<>();
    writers.values().forEach(place -> executors.add(place.executor()));
    return executors;
  }

  /** Somebody stopped the query, or the job: nothing that needs a look. */
  static boolean isCancelled(String reason) {
    return reason.contains("SPARK_JOB_CANCELLED");
  }

  void addReader(Reader reader) {
    readers.add(reader);
    partitions.add(reader.partition());
  }

  List<Reader> readers() {
    return readers;
  }

  int partitionsRead() {
    return partitions.size();
  }

  void job(FutureAction<?> action) {
    job = action;
  }

  FutureAction<?> job() {
    return job;
  }

  /** Another writer has a slot. */
  void begin() {
    begun++;
  }

  int begun() {
    return begun;
  }

  void jobDone() {
    jobDone = true;
  }

  boolean isJobDone() {
    return jobDone;
  }

  void mapDone(int map, long mapRows, long mapBytes, long checksum) {
    checksums[map] = checksum;
    done++;
    rows += mapRows;
    bytes += mapBytes;
  }

  /** Of what each map has written, once all are done; zeros where Spark wants none. */
  long[] checksums() {
    return checksums;
  }

  boolean isAllDone() {
    return done == entry.maps();
  }

  /** For people who look into the log. */
  String summary() {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    return "shuffle "
        + entry.shuffle()
        + ", generation "
        + key
        + ": "
        + state
        + " after "
        + millis
        + " ms, "
        + done
        + " of "
        + entry.maps()
        + " writers through, "
        + readers.size()
        + " readers, "
        + rows
        + " rows, "
        + bytes
        + " bytes";
  }
}

package dev.penstock.spark;

/**
 * What the driver and the executors tell each other about generations. A generation is one run of a
 * shuffle's writers for one consumer; {@code exchange} and {@code attempt} name it.
 */
sealed interface Message {
  /** An executor is up and listens. */
  record Hello(String executor, String host, int port) implements Message {}

  /** Where the driver's control channel to this executor is. */
  record Welcome(long exchange, String host, int port) implements Message {}

  /** A reading task asks for its writers; {@code whole} if for one partition of all maps. */
  record Open(
      String executor,
      long reader,
      int shuffle,
      int partition,
      int stage,
      int stageAttempt,
      int taskPartition,
      int taskAttempt,
      int ordinal,
      int numPartitions,
      boolean whole)
      implements Message {}

  /** A reading task met a failure. */
  record ReaderFailed(long exchange, int attempt, int partition, String reason)
      implements Message {}

  /** A reading task hears from the driver no more; asked again until the shuffle goes to sort. */
  record TrackerLost(int shuffle, int stage, int stageAttempt, String reason) implements Message {}

  /** Not yet: ask again in a moment. */
  record Later() implements Message {}

  /** A writing task begins to make its rows: all of them may have to be there before the first. */
  record WriterBegins(long exchange, int attempt) implements Message {}

  /** A writing task has rows, and listens. */
  record WriterUp(String executor, long exchange, int attempt, int map, int taskAttempt)
      implements Message {}

  /** A writing task failed. */
  record WriterFailed(long exchange, int attempt, int map, String reason) implements Message {}

  /** A writing task is through: everything was taken. */
  record WriterDone(long exchange, int attempt, int map, long rows, long bytes, long checksum)
      implements Message {}

  /** The answer to what needs none. */
  record Ok() implements Message {}

  /** A writer may write. */
  record Admitted(int readers) implements Message {}

  /** Nobody reads any more: a writer ends at once, with success. */
  record NotNeeded() implements Message {}

  /** A writer must not write. */
  record Refused(String reason) implements Message {}

  /** A reader's generation, and how many writers it has. */
  record Opened(long reader, long exchange, int attempt, int maps) implements Message {}

  /** A writer that a reader can reach. */
  record WriterAt(long reader, int map, String host, int port) implements Message {}

  /** All writers have ended well, their metrics have been counted. */
  record Complete(long reader) implements Message {}

  /** A reader has to give up; {@code fallBack} says whether the stage is to be run again. */
  record GiveUp(long reader, boolean fallBack, String reason) implements Message {}

  /** Nobody reads this generation any more: its writers end, with success. */
  record Close(long exchange, int attempt) implements Message {}

  /** This generation has failed: its writers end. */
  record Fail(long exchange, int attempt, String reason) implements Message {}
}

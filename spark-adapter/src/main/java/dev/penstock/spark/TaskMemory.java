package dev.penstock.spark;

import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * A task's fixed share, reserved with Spark's memory manager as long as the gate is open. It is
 * never spilled: what is in a log has been promised to a reader.
 */
final class TaskMemory extends MemoryConsumer implements AutoCloseable {
  private final long bytes;
  private boolean held;

  private TaskMemory(TaskMemoryManager manager, long bytes) {
    super(manager, MemoryMode.ON_HEAP);
    this.bytes = bytes;
  }

  static TaskMemory reserve(TaskMemoryManager manager, long bytes, String key) {
    TaskMemory memory = new TaskMemory(manager, bytes);
    long granted = memory.acquireMemory(bytes);
    if (granted < bytes) {
      memory.freeMemory(granted);
      throw new IllegalStateException(
          "Spark's memory manager gives this task "
              + granted
              + " of the "
              + bytes
              + " bytes that "
              + key
              + " asks for: lower it, or give executors more memory");
    }
    memory.held = true;
    return memory;
  }

  @Override
  public long spill(long size, MemoryConsumer trigger) {
    return 0;
  }

  @Override
  public void close() {
    if (held) {
      held = false;
      freeMemory(bytes);
    }
  }
}

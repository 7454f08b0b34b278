package dev.penstock.spark;

import java.io.Serializable;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * What each task of a writers' job does: the map side of the shuffle, through Spark's own write
 * processor, so that its metrics are counted as always.
 */
final class WriterTask extends AbstractFunction1<Iterator<Object>, Object> implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ThreadLocal<Current> CURRENT = new ThreadLocal<>();

  private record Current(int shuffle, GenerationKey generation) {}

  private final ShuffleDependency<?, ?, ?> dependency;
  private final GenerationKey generation;

  WriterTask(ShuffleDependency<?, ?, ?> dependency, GenerationKey generation) {
    this.dependency = dependency;
    this.generation = generation;
  }

  /** The generation that this thread writes for, or null if it runs another task. */
  static GenerationKey currentGeneration(int shuffle) {
    Current current = CURRENT.get();
    return current != null && current.shuffle() == shuffle ? current.generation() : null;
  }

  @Override
  public Object apply(Iterator<Object> records) {
    TaskContext context = TaskContext.get();
    CURRENT.set(new Current(dependency.shuffleId(), generation));
    try {
      var unused =
          dependency
              .shuffleWriterProcessor()
              .write(records, dependency, context.taskAttemptId(), context.partitionId(), context);
      return true;
    } finally {
      CURRENT.remove();
    }
  }
}

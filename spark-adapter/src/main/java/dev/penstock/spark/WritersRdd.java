package dev.penstock.spark;

import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/**
 * The map side of a shuffle under another identity. Spark's scheduler tells by RDDs which jobs need
 * a stage that has failed: were this the shuffle's own, and its made-up outputs just taken back, a
 * failed writers' job would take the job that reads along, which is about to fall back.
 */
final class WritersRdd extends RDD<Object> {
  private static final long serialVersionUID = 1L;

  private final GenerationKey generation;

  WritersRdd(RDD<Object> mapSide, GenerationKey generation) {
    super(mapSide, ClassTag.Any());
    this.generation = generation;
  }

  @Override
  public Iterator<Object> compute(Partition split, TaskContext context) {
    // A parent that sorts does so before it returns.
    var unused =
        ExecutorNode.current()
            .ask(new Message.WriterBegins(generation.exchange(), generation.attempt()));
    return firstParent(ClassTag.Any()).iterator(split, context);
  }

  @Override
  public Partition[] getPartitions() {
    return firstParent(ClassTag.Any()).partitions();
  }
}

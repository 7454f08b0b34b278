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

  WritersRdd(RDD<Object> mapSide) {
    super(mapSide, ClassTag.Any());
  }

  @Override
  public Iterator<Object> compute(Partition split, TaskContext context) {
    return firstParent(ClassTag.Any()).iterator(split, context);
  }

  @Override
  public Partition[] getPartitions() {
    return firstParent(ClassTag.Any()).partitions();
  }
}

package dev.penstock.spark;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/** Passes what Spark's scheduler does to the tracker's thread. */
final class TrackerListener extends SparkListener {
  private final Tracker tracker;
  private final FirstExecutor firstExecutor;

  TrackerListener(Tracker tracker, FirstExecutor firstExecutor) {
    this.tracker = tracker;
    this.firstExecutor = firstExecutor;
  }

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    tracker.post(() -> tracker.jobStarted(event));
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd event) {
    tracker.post(() -> tracker.jobEnded(event.jobId()));
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    tracker.post(() -> tracker.stageSubmitted(event.stageInfo()));
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    tracker.post(() -> tracker.stageCompleted(event.stageInfo()));
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart event) {
    tracker.post(() -> tracker.taskStarted(event.stageId()));
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    tracker.post(() -> tracker.taskEnded(event.stageId()));
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    firstExecutor.added();
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    tracker.post(() -> tracker.executorRemoved(event.executorId(), event.reason()));
  }
}

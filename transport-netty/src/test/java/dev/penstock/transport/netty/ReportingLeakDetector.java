package dev.penstock.transport.netty;

import io.netty.util.ResourceLeakDetector;

/** Netty's leak detector, which also tells the tests; named to Netty by a system property. */
public final class ReportingLeakDetector<T> extends ResourceLeakDetector<T> {
  /**
   * As Netty calls it.
   *
   * @param resourceType what is watched
   * @param samplingInterval how often
   */
  public ReportingLeakDetector(Class<?> resourceType, int samplingInterval) {
    super(resourceType, samplingInterval);
  }

  /**
   * As Netty calls it where it still may.
   *
   * @param resourceType what is watched
   * @param samplingInterval how often
   * @param maxActive unused by Netty
   */
  @SuppressWarnings("unused")
  public ReportingLeakDetector(Class<?> resourceType, int samplingInterval, long maxActive) {
    this(resourceType, samplingInterval);
  }

  @Override
  protected void reportTracedLeak(String resourceType, String records) {
    Leaks.REPORTED.add(resourceType + records);
    super.reportTracedLeak(resourceType, records);
  }

  @Override
  protected void reportUntracedLeak(String resourceType) {
    Leaks.REPORTED.add(resourceType);
    super.reportUntracedLeak(resourceType);
  }
}

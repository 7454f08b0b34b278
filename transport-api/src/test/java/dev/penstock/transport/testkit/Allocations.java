package dev.penstock.transport.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much memory the calling thread has allocated, as the JVM counts it. */
public final class Allocations {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /**
   * Heap bytes allocated by the calling thread since it started.
   *
   * @return a number that only grows; the call itself allocates nothing
   */
  public static long ofThisThread() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}

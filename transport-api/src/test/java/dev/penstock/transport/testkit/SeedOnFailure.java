package dev.penstock.transport.testkit;

import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A seed for a test's random values: new for each test, given by a property, printed on failure.
 */
public final class SeedOnFailure implements AfterTestExecutionCallback {
  private final String property;
  private final long value;

  /**
   * Draws a seed.
   *
   * @param property system property that sets the seed instead
   */
  public SeedOnFailure(String property) {
    this.property = property;
    this.value = Long.getLong(property, new SplittableRandom().nextLong());
  }

  /**
   * The seed.
   *
   * @return the same number for the whole test
   */
  public long value() {
    return value;
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      System.err.printf("%s: repeat with -D%s=%d%n", context.getDisplayName(), property, value);
    }
  }
}

package dev.penstock.spark;

/** Spark's iterators throw checked exceptions without saying so; so must ours. */
final class Sneaky {
  private Sneaky() {}

  @SuppressWarnings("unchecked")
  static <T extends Throwable> RuntimeException raise(Throwable failure) throws T {
    throw (T) failure;
  }
}

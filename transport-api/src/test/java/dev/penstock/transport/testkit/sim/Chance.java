package dev.penstock.transport.testkit.sim;

import java.util.SplittableRandom;

/** Everything random in a run. */
final class Chance {
  static final long MICROS = 1_000L;
  static final long MILLIS = 1_000_000L;

  private final SplittableRandom random;

  Chance(long seed) {
    this(new SplittableRandom(seed));
  }

  private Chance(SplittableRandom random) {
    this.random = random;
  }

  Chance split() {
    return new Chance(random.split());
  }

  boolean oneIn(int n) {
    return n > 0 && random.nextInt(n) == 0;
  }

  boolean percent(int n) {
    return random.nextInt(100) < n;
  }

  int below(int n) {
    return random.nextInt(n);
  }

  /** Both ends included. */
  int between(int low, int high) {
    return random.nextInt(low, high + 1);
  }

  long between(long low, long high) {
    return random.nextLong(low, high + 1);
  }

  long micros(int low, int high) {
    return between(low * MICROS, high * MICROS);
  }

  long millis(int low, int high) {
    return between(low * MILLIS, high * MILLIS);
  }

  int pick(int... values) {
    return values[random.nextInt(values.length)];
  }

  double fraction() {
    return random.nextDouble();
  }

  long number() {
    return random.nextLong();
  }

  void fill(byte[] bytes) {
    random.nextBytes(bytes);
  }
}

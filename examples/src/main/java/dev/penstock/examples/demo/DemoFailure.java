package dev.penstock.examples.demo;

/** The demo cannot go on. */
final class DemoFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoFailure(String message) {
    super(message);
  }
}
